package prl

import "github.com/prlab/prlab/prl/learn"

// PAC begins a plan about finite hypothesis spaces: prl.PAC().Epsilon(0.1).Delta(0.05).Hypotheses(960).SampleSize(). [learn.Plan] has its
// steps and answers.
func PAC() learn.Plan { return learn.PlanPAC() }

// PsychicGame returns the guessing game of students who miss each bit with the given probability.
func PsychicGame(students int, miss float64) learn.Psychic {
	return learn.Psychic{Students: students, Miss: miss}
}

// Domain returns the instance space of the given attributes.
func Domain(attributes ...learn.Attribute) learn.Domain { return Must(learn.NewDomain(attributes...)) }

// Attribute returns an attribute for Domain.
func Attribute(name string, values ...string) learn.Attribute {
	return learn.Attribute{Name: name, Values: values}
}

// Booleans returns the instance space of n Boolean variables.
func Booleans(n int) learn.Domain { return Must(learn.Booleans(n)) }

// World returns the problem of learning one of the space's hypotheses, the target, from noise-free examples that are all equally likely.
func World(space *learn.Space, target int) *learn.Problem {
	return Must(learn.WorldOf(space, target))
}
