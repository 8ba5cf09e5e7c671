//go:build unix

package assist

import "testing"

func TestFormulas(t *testing.T) {
	for _, c := range [][2]string{
		{"    S u_j = lambda_j u_j,  lambda_1 >= lambda_2", "    S uⱼ = λⱼ uⱼ,  λ₁ ≥ λ₂"},
		{"    sum_i alpha_i y_i = 0,  0 <= alpha_i <= C", "    ∑ᵢ αᵢ yᵢ = 0,  0 ≤ αᵢ ≤ C"},
		{"\tW^T B W = I, L^-1 A, sqrt(x^2 + y^2)", "\tWᵀ B W = I, L⁻¹ A, √(x² + y²)"},
		{"\tD_t+1(i), x_ij, S_W, a_12^2", "\tDₜ+1(i), x_ij, S_W, a₁₂²"},
		{"The map x -> U^T x of lambda_j; gamma >= 0.", "The map x → Uᵀ x of λⱼ; gamma ≥ 0."},
		{"sigma is an argument, and snake_case a name", "sigma is an argument, and snake_case a name"},
		{"```go\nfunc f(x_1 <-chan int)\n```", "```go\nfunc f(x_1 <-chan int)\n```"},
		{"    x := prl.RBF(gamma)\n    y_1 := x >= 2", "    x := prl.RBF(gamma)\n    y_1 := x >= 2"},
		{"    gamma = alpha\n\n    mu = 1\n\nand so on", "    γ = α\n\n    μ = 1\n\nand so on"},
	} {
		if got := formulas(c[0]); got != c[1] {
			t.Errorf("%q\ngives %q\nnot   %q", c[0], got, c[1])
		}
	}
}
