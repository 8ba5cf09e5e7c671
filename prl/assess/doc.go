// Package assess judges predictions: confusion matrices with the rates that follow from them, and receiver operating characteristics with
// the area below. It works on numbers that any classifier of any library may have given; nothing here fits a model.
//
// Classes are integers 0 ... K-1. In a problem of two classes, class 1 is the positive one.
package assess
