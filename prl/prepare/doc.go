// Package prepare holds plans of what is done to data before a model is fitted. Each is fitted to the rows of a training set and then
// applied to others, so that nothing of a test set leaks into a model.
//
// Impute fills gaps, OneHot and Ordinal make numbers of words. A feature of words is a column of numbers with the list of the words they
// stand for, a gap is NaN: sets that datasets.Table makes have both. TFIDF weighs the counts of words that datasets.Texts makes.
package prepare
