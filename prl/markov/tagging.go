package markov

// Tagging returns the part-of-speech HMM of a much used lecture example: tags DET, PRP, N, PREP, V and the words I, bank, at, CFCU, go, to,
// the. The tables are the ones that agree with every product the example prints; "I bank at CFCU" is best tagged PRP V PREP N.
func Tagging() Parameters {
	return Parameters{
		States:  []string{"DET", "PRP", "N", "PREP", "V"},
		Symbols: []string{"I", "bank", "at", "CFCU", "go", "to", "the"},
		Start:   []float64{.3, .3, .1, .1, .2},
		Transitions: [][]float64{
			{.01, .01, .96, .01, .01},
			{.01, .01, .01, .2, .77},
			{.01, .2, .3, .3, .19},
			{.3, .2, .3, .19, .01},
			{.2, .19, .3, .3, .01},
		},
		Emissions: [][]float64{
			{.01, .01, .01, .01, .01, .01, .94},
			{.94, .01, .01, .01, .01, .01, .01},
			{.01, .4, .01, .4, .16, .01, .01},
			{.01, .01, .48, .01, .01, .47, .01},
			{.01, .4, .01, .01, .55, .01, .01},
		},
	}
}
