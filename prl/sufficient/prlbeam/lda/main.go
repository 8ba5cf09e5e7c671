// Command lda fits linear discriminant analysis to the lines of CSV files, on whatever runs Apache Beam:
//
//	go run ./lda --input 'rows-*.csv' --classes a,b,c --output lda.prl
//
// The class stands last in a line; all else are numbers. The output is what MarshalBinary of a bayes.Classifier writes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/sufficient"
	"github.com/prlab/prlab/prl/sufficient/prlbeam"
)

var (
	input   = flag.String("input", "", "files of lines, local or of a store that Beam knows (gs://bucket/rows-*.csv)")
	output  = flag.String("output", "lda.prl", "file for the model")
	classes = flag.String("classes", "", "names of the classes in the order of their numbers, with commas")
	header  = flag.String("header", "", "a line to leave out")
)

func init() {
	register.DoFn2x1[string, func(prlbeam.Row), error](&parse{})
	register.Emitter1[prlbeam.Row]()
	register.DoFn2x1[context.Context, *sufficient.Classes, error](&fit{})
}

// parse makes rows of lines.
type parse struct {
	Classes []string
	Header  string
}

// ProcessElement emits the row of a line.
func (p *parse) ProcessElement(line string, emit func(prlbeam.Row)) error {
	if line = strings.TrimSpace(line); line == "" || line == p.Header {
		return nil
	}
	fields := strings.Split(line, ",")
	last := len(fields) - 1
	class := slices.Index(p.Classes, fields[last])
	if class < 0 {
		return fmt.Errorf("%q: the class is none of %q", line, p.Classes)
	}
	row := prlbeam.Row{X: make([]float64, last), Class: int64(class)}
	for j, field := range fields[:last] {
		var err error
		if row.X[j], err = strconv.ParseFloat(field, 64); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
	}
	emit(row)
	return nil
}

// fit makes the model of the statistics.
type fit struct {
	Classes []string
	Output  string
}

// ProcessElement writes the model.
func (f *fit) ProcessElement(ctx context.Context, s *sufficient.Classes) (err error) {
	model, err := s.LDA(bayes.Options{})
	if err != nil {
		return err
	}
	model.Remember(estimator.Names{ClassNames: f.Classes})
	data, err := model.MarshalBinary()
	if err != nil {
		return err
	}
	files, err := filesystem.New(ctx, f.Output)
	if err != nil {
		return err
	}
	defer files.Close()
	w, err := files.OpenWrite(ctx, f.Output)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}

// pipeline is the whole program: parse, combine, fit.
func pipeline(s beam.Scope, input, output, header string, classes []string) {
	rows := beam.ParDo(s, &parse{classes, header}, textio.Read(s, input))
	beam.ParDo0(s, &fit{classes, output}, beam.Combine(s, &prlbeam.ClassesFn{}, rows))
}

func main() {
	flag.Parse()
	beam.Init()
	names := strings.Split(*classes, ",")
	if *input == "" || len(names) < 2 {
		flag.Usage()
		os.Exit(2)
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline(s, *input, *output, *header, names)
	if err := beamx.Run(context.Background(), p); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
