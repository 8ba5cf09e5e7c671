//go:build !purego

#include "textflag.h"

// BEGIN loads the arguments: rows to SI, bins to DI, what is added to DX, bars to R8. CX counts from 0 to the number of rows in R9.
#define BEGIN \
	MOVQ n+0(FP), R9     \
	MOVQ rows+8(FP), SI  \
	MOVQ bins+16(FP), DI \
	MOVQ add+24(FP), DX  \
	MOVQ bars+32(FP), R8 \
	XORQ CX, CX

// ROW loads the place of the bins of a row to BX and what is added to X0.
#define ROW \
	MOVLQSX (SI)(CX*4), BX \
	MOVOU (DX), X0         \
	LEAQ (DI)(BX*8), BX

// ONE adds X0 to the bar of feature k. A feature has 260 bars of 16 bytes.
#define ONE(k, A, X) \
	MOVBLZX k(BX), A           \
	SHLQ $4, A                 \
	MOVOU (4160*k)(R8)(A*1), X \
	PADDQ X0, X                \
	MOVOU X, (4160*k)(R8)(A*1)

#define NEXT \
	ADDQ $16, DX \
	INCQ CX      \
	CMPQ CX, R9

#define EIGHT \
	ROW             \
	ONE(0, AX, X1)  \
	ONE(1, R10, X2) \
	ONE(2, R11, X3) \
	ONE(3, R12, X4) \
	ONE(4, AX, X1)  \
	ONE(5, R10, X2) \
	ONE(6, R11, X3) \
	ONE(7, R12, X4) \
	NEXT

// func tally8(n int, rows *int32, bins *uint8, add, bars *[2]int64)
//
// It fetches the bins of the row that comes 32 later.
TEXT ·tally8(SB), NOSPLIT, $0-40
	BEGIN
	SUBQ $32, R9
	JLE slow
	PCALIGN $32

ahead:
	MOVLQSX 128(SI)(CX*4), BX
	PREFETCHT0 (DI)(BX*8)
	EIGHT
	JLT ahead

slow:
	ADDQ $32, R9

eight:
	EIGHT
	JLT eight
	RET

// func tally4(n int, rows *int32, bins *uint8, add, bars *[2]int64)
TEXT ·tally4(SB), NOSPLIT, $0-40
	BEGIN
	PCALIGN $32

four:
	ROW
	ONE(0, AX, X1)
	ONE(1, R10, X2)
	ONE(2, R11, X3)
	ONE(3, R12, X4)
	NEXT
	JLT four
	RET

// func tally2(n int, rows *int32, bins *uint8, add, bars *[2]int64)
TEXT ·tally2(SB), NOSPLIT, $0-40
	BEGIN
	PCALIGN $32

two:
	ROW
	ONE(0, AX, X1)
	ONE(1, R10, X2)
	NEXT
	JLT two
	RET

// func tally1(n int, rows *int32, bins *uint8, add, bars *[2]int64)
TEXT ·tally1(SB), NOSPLIT, $0-40
	BEGIN
	PCALIGN $32

one:
	ROW
	ONE(0, AX, X1)
	NEXT
	JLT one
	RET
