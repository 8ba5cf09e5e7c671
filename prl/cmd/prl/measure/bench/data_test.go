package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// csvSums are the SHA-256 sums of the data sets as text, "%.6f" with commas, classes and symbols as whole numbers, from an independent
// program for the same formulas in Python (with NumPy 1.24, or plain).
var csvSums = map[string]string{
	"cls_S":     "15b61b4faeb1e4d14c7edb45bbf071b406fca8f73bb7c9e81d075a265ebd977d",
	"lin_S":     "d5c9314490fb6037e830679a56923fae4bbb099aec3b74f43bbc2832f19aff5b",
	"bin_S":     "aa45c73db6d74ccaab65f71d825f9051ddd4aa717298e709d488a3ac7a3bb40b",
	"fried_S":   "7c666945329d7d8ca92d29e7343a7e60150f85bd1e66a3ab1d85f846341e679c",
	"mix_S":     "409d47ec33f04ff4ef9b4726b5bcc31420377f4bb672508a10afebcf0916ac59",
	"hmm_S":     "94f1aef80f3d5733d95d44da78a3ba21cb6860eb5757a867cf43c0ab7b2a4aea",
	"hmm_S_pi":  "d9642cc6844abdd1f691ee802aa32571fe8c3248602603eee3dfdc62dba23093",
	"hmm_S_A":   "6cccc06dcf117821633b08c38acff18395875c63ae341a5457dff7b0d2d4dca2",
	"hmm_S_B":   "0edce236b73334d77b8da9b53efd762c7d55c1149edad0fe845c36ea763f4e3f",
	"hmm_S_pi0": "8b40645ba39eb60f6f9b8010cef1d56405726c64391ae5aeeaa14ff09348c628",
	"hmm_S_A0":  "454043e08c616e152442f2f68cfc8207058849ae5f9c1c3757f93b3aac0c4fdb",
	"hmm_S_B0":  "b71dca76ab8ec573b5b2119050dc9c2e6db826bea20d65deef0b7d0988e1222b",
	"cls_M":     "f7034a691caccb7c08d486f1dd43fa86f9ad0e371871876e6e9df7cd0f25b4ea",
	"lin_M":     "149a858ca584f401cdd83687b846645bf6fa7ed314c42fb90d01550679869d4a",
	"bin_M":     "031f1c53b1de4d6a40c599c05e6c33798bc1dba96320aa1b3cd7b528ec5d1be3",
	"fried_M":   "bd93c31fc33ddfbefc5755bd166e65b47b649a2ea2d0c33fc9a8fa0b0866e04e",
	"mix_M":     "28f1ca849309123e9fd86d1d42a22057d659116c9b90e2a2f8a29e5da86713b3",
	"hmm_M":     "bdd5c7c261de8340091132bae151457abd02519431d88075eb04d1d26e7e9b85",
	"hmm_M_pi":  "7d535e463509e87ef13ec01783f054cea3e48e4a5eb80bcfccff79e316d9f159",
	"hmm_M_A":   "440b564ef950c5fd4ce9d957b745d5925076815e8dade92213afe6290bd8fad1",
	"hmm_M_B":   "124fd66d553fc3fbe1061a5fe6c58e0869ae7e3f7e042a39d857e780d4887b1b",
	"hmm_M_pi0": "118167630c46c95a523694a13fbc5115465cb58db10af619bdfc5441f5a98146",
	"hmm_M_A0":  "65f4674c009b667cf194864546284d3da19b778d0c92fb5caf7c853c7ba3fc5f",
	"hmm_M_B0":  "d265b9c3328b5e74505465edf26becb8a293f5eb22b04d8785d446781749ea54",
	"sheet_S":   "e7beac8ef92c0e887ca47678c3e499517057e30ad2c0df17df476722eacd4a6e",
	"blend_S":   "84a5184bf0f360da152b78d8ae45ba62bc6692e5e33337ea7962fc6ee3eae321",
	"wide_S":    "ad1bd45a96d6729fecea7a095595cf3e1b9728e1c2b4e9b6b8fc73125e4f3ab9",
	"sheet_M":   "e90e72be4fdc369044c0c3a383ed9ba27403b5e30d42d16561c7085fc6647442",
	"blend_M":   "168ffd0b3b2799436d92aa1efa7763c10e8cdeb2211d64b2d8b6939b891cf7cf",
	"wide_M":    "8e51df37542e00c7332fcae02b932d3cab90b03a92dec9fe3038d094ccec6278",
	"hmm_L":     "6b31bf86f2101e21b59fd81e615037c47578c270d011b9440d253f74b4c2c2e6",
	"hmm_L_pi":  "80592c74695375064c954bd74dba6c751f054091fef0b006273cf19a84319068",
	"hmm_L_A":   "ef917e87e305dd502fc77f5b9beb87f70ef827f210b4d6a8af331f0d720e024b",
	"hmm_L_B":   "7588142b80957ae3a4bed999969303ed148dd015b6748004bf21f8d87946e42e",
	"hmm_L_pi0": "96d4761533d3d049498a9948d34729d14e3174b5dc6797959dd7be448d3b0691",
	"hmm_L_A0":  "3a7608baa46dd1fb37bb5846094a2509a9a9c2c6820cea98247ff3b43162f991",
	"hmm_L_B0":  "f8ad088f8e6f43325941ecb2164c95ef54fa8b49dcb369f9ca776b6bbf516514",
}

// TestGenerators writes every data set as text and compares its sum with that of another program.
func TestGenerators(t *testing.T) {
	for _, size := range []byte("SM") {
		for _, s := range sources(shapes(size), strings.IndexByte(Sizes, size)) {
			m := s.make(s.train + s.test)
			if len(m.v) != m.rows*m.cols || m.rows != s.train+s.test {
				t.Fatalf("%s has %d numbers in %d x %d", s.name, len(m.v), m.rows, m.cols)
			}
			if s.name == "hmmtrue" || s.name == "hmmstart" {
				suffix := map[string]string{"hmmtrue": "", "hmmstart": "0"}[s.name]
				k := m.rows
				start := newMatrix(1, k)
				for i := range k {
					start.v[i] = m.row(i)[0]
				}
				sameSum(t, "hmm_"+string(size)+"_pi"+suffix, text(start, 0, k, false))
				sameSum(t, "hmm_"+string(size)+"_A"+suffix, text(m, 1, 1+k, false))
				sameSum(t, "hmm_"+string(size)+"_B"+suffix, text(m, 1+k, m.cols, false))
				continue
			}
			sameSum(t, s.name+"_"+string(size), text(m, 0, m.cols, s.name != "fried"))
		}
	}
}

// text writes columns from to to-1 of a matrix; the last one as whole numbers if labels is set.
func text(m matrix, from, to int, labels bool) string {
	var out strings.Builder
	for i := range m.rows {
		for j := from; j < to; j++ {
			switch {
			case labels && j == to-1:
				fmt.Fprintf(&out, "%d", int(m.row(i)[j]))
			default:
				fmt.Fprintf(&out, "%.6f", m.row(i)[j])
			}
			if j < to-1 {
				out.WriteByte(',')
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func sameSum(t *testing.T, name, csv string) {
	t.Helper()
	sum := sha256.Sum256([]byte(csv))
	if got := hex.EncodeToString(sum[:]); got != csvSums[name] {
		first, _, _ := strings.Cut(csv, "\n")
		t.Errorf("%s: %s, want %s; the first row is %s", name, got, csvSums[name], first)
	}
}

func TestFirstNumbers(t *testing.T) {
	// s_1 = (11 * 6364136223846793005 + 1442695040888963407) mod 2^64, computed with Python's integers.
	g := lcg(11)
	if u := g.uniform(); u != 0.873214330816907 || uint64(g) != 16107961282075031614 {
		t.Errorf("%v %d", u, uint64(g))
	}
}

func TestDataFiles(t *testing.T) {
	dir := t.TempDir()
	files, err := WriteData(dir, 'S')
	if err != nil {
		t.Fatal(err)
	}
	again, err := WriteData(dir, 'S') // from the list
	if err != nil || len(again) != len(files) {
		t.Fatal(err, again)
	}
	task, err := findTask("lda fit")
	if err != nil {
		t.Fatal(err)
	}
	in, err := load(dir, task, 'S', files)
	if err != nil {
		t.Fatal(err)
	}
	if in.n() != 200 || in.m() != 200 || in.d() != 4 || in.classN != 3 {
		t.Errorf("%d and %d rows of %d features, %d classes", in.n(), in.m(), in.d(), in.classN)
	}
	if err := os.Truncate(filepath.Join(dir, "cls_S.bin"), 80); err != nil {
		t.Fatal(err)
	}
	if _, err := load(dir, task, 'S', files); err == nil || !strings.Contains(err.Error(), "has 80 bytes instead of") {
		t.Error(err)
	}
}
