// Package prose holds the text of chapters to their code. It has tests only.
//
// A number of three or more digits in the text occurs in an output or in code of the chapter. Where it does not, or where the same number
// could be said of something else, a comment behind it gives its value as Go in terms of what the chapter declares:
//
//	there were 251,527<!-- = boys --> boys
//
// A formula is bound by a comment behind it, which does not show on any page. It holds statements of Go that draw arguments from the
// generator r, and lines that say what a symbol is in the code, without blank lines between them:
//
//	$$\mu_N=\frac{\sigma^2\mu_0+N\sigma_0^2\bar x}{\sigma^2+N\sigma_0^2}$$
//	<!-- formula
//	p := estimate.NormalMean{Mean: r.NormFloat64(), Variance: 0.2 + r.Float64(), Noise: 0.2 + r.Float64()}
//	xs := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
//	\mu_N => prl.Must(p.See(xs...)).Mean
//	\mu_0 => p.Mean
//	\sigma_0^2 => p.Variance
//	\sigma^2 => p.Noise
//	N => 3
//	\bar x => (xs[0] + xs[1] + xs[2]) / 3
//	-->
//
// The formula is parsed by KaTeX, written as Go, and evaluated in one program with the declarations of the chapter. Every relation of it
// must be true in every draw, with sides equal to 1e-9. Other lines:
//
//	x_i => x[i-1]               inside a sum over i, where i is an int
//	g() => gain                 a function of whatever stands in parentheses
//	i => i in 1..N              the range of an index, or of a variable of integration, that the formula does not give
//	j\ne i => j in 1..N if j != i   the same with a condition, for what stands below the sum
//	value => gain(a)            the formula, or its first part, has this value
//	holds => widens(a, b)       the relation is true exactly when the code says so
//	only => 2, 3                the parts that are meant, where the formula has several, counted from 1
//	tolerance => 1e-6           in place of 1e-9
//	approx => 0.01              the tolerance of \approx
//	draws => 5                  in place of 40
package prose
