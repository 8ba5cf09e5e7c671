// Package eigen solves symmetric eigenproblems.
//
// Symmetric finds all eigenvalues of a matrix and as many eigenvectors as one asks for, in three steps: Householder reflections make the
// matrix tridiagonal, 32 columns at a time, so that half of the work is a matrix product; the tridiagonal problem is divided and conquered;
// the reflections, 64 at a time, turn its eigenvectors into those of the matrix. These are the steps of LAPACK's SYEVD. Source: Golub, Van
// Loan, Matrix Computations, 2013, sections 8.3 and 8.4; Gu, Eisenstat, A divide-and-conquer algorithm for the symmetric tridiagonal
// eigenproblem, SIAM J. Matrix Anal. Appl. 16, 1995.
//
// Largest finds a few of the largest eigenvalues of an operator that can only be applied to vectors, by the method of Lanczos.
//
// Both end soon after their context.
package eigen
