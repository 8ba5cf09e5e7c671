// Package prepare holds plans of what is done to data before a model is fitted. Each is fitted to the rows of a training set and then
// applied to others, so that nothing of a test set leaks into a model.
package prepare
