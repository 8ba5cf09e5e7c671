//go:build !purego

#include "textflag.h"

// Both recursions work on strips of eight columns. SI: the present row of x; R8: the matrix; R9, R10: the table; R12: the bytes of a row;
// R13: steps to do; DX: the offset of the present strip, CX: pairs of rows of the matrix left.

#define LOADRECURSION \
	MOVQ steps+0(FP), R13 \
	MOVQ width+16(FP), R12 \
	MOVQ x+24(FP), SI     \
	MOVQ a+32(FP), R8     \
	MOVQ rows+40(FP), R9  \
	MOVQ index+48(FP), R10 \
	SHLQ $3, R12

// STARTSTRIP points AX at the matrix and BX at the vector that meets it.
#define STARTSTRIP(vector) \
	LEAQ (R8)(DX*1), AX    \
	MOVQ vector, BX        \
	MOVQ pairs+8(FP), CX

#define NEXTPAIR \
	ADDQ $16, BX           \
	LEAQ (AX)(R12*2), AX   \
	DECQ CX

// Y0, Y1: the sums over even rows; Y2, Y3: those over odd rows.
#define CLEARSUMS \
	VXORPD Y0, Y0, Y0 \
	VXORPD Y1, Y1, Y1 \
	VXORPD Y2, Y2, Y2 \
	VXORPD Y3, Y3, Y3

#define PAIR \
	VBROADCASTSD (BX), Y4            \
	VBROADCASTSD 8(BX), Y5           \
	VMULPD (AX), Y4, Y6              \
	VMULPD 32(AX), Y4, Y7            \
	VMULPD (AX)(R12*1), Y5, Y8       \
	VMULPD 32(AX)(R12*1), Y5, Y9     \
	VADDPD Y6, Y0, Y0                \
	VADDPD Y7, Y1, Y1                \
	VADDPD Y8, Y2, Y2                \
	VADDPD Y9, Y3, Y3

#define PAIRWIDE \
	VBROADCASTSD (BX), Z4         \
	VBROADCASTSD 8(BX), Z5        \
	VMULPD (AX), Z4, Z6           \
	VMULPD (AX)(R12*1), Z5, Z8    \
	VADDPD Z6, Z0, Z0             \
	VADDPD Z8, Z2, Z2

// ADDPAIRS adds the numbers of y, whose lower half is x, to X14, two at a time.
#define ADDPAIRS(x, y) \
	VADDPD x, X14, X14       \
	VEXTRACTF128 $1, y, X13  \
	VADDPD X13, X14, X14

#define ADDPAIRSWIDE(x, y, z) \
	ADDPAIRS(x, y)             \
	VEXTRACTF64X4 $1, z, Y12   \
	ADDPAIRS(X12, Y12)

// SUM is what the two parts in X14 come to.
#define SUM \
	VPERMILPD $1, X14, X13 \
	VADDSD X13, X14, X14

// LOADBACK goes to the last row. The vector R11 has a number for each step.
#define LOADBACK \
	LOADRECURSION               \
	LEAQ -1(R13), AX            \
	LEAQ (R11)(AX*8), R11       \
	LEAQ (R10)(AX*8), BX        \
	TESTQ R10, R10              \
	CMOVQNE BX, R10             \
	IMULQ R12, AX               \
	ADDQ AX, SI                 \
	LEAQ (R9)(AX*1), BX         \
	TESTQ R10, R10              \
	CMOVQEQ BX, R9

// DI: beta; R11: scales; R15: b beta / scale, which meets the matrix; X15: one.
#define LOADSMOOTH \
	MOVQ scales+56(FP), R11     \
	MOVQ beta+64(FP), DI        \
	MOVQ w+72(FP), R15          \
	LOADBACK                    \
	MOVQ $0x3FF0000000000000, AX \
	MOVQ AX, X15

// DI: the row of x after the present one; R11: sums; R15: b times that row, which meets the matrix; X15: low.
#define LOADBACKWARD \
	MOVQ sums+56(FP), R11     \
	MOVQ w+64(FP), R15        \
	VMOVSD low+72(FP), X15    \
	LOADBACK                  \
	LEAQ (SI)(R12*1), DI

// func forward4(steps, pairs, width int, x, a, rows *float64, index *int, sums *float64, low float64) (done int)
TEXT ·forward4(SB), NOSPLIT, $0-80
	LOADRECURSION
	MOVQ sums+56(FP), R11
	VMOVSD low+64(FP), X15

forwardstep:
	MOVQ R9, DI // the row of the table
	TESTQ R10, R10
	JZ forwardinorder
	MOVQ (R10), AX
	ADDQ $8, R10
	IMULQ R12, AX
	ADDQ AX, DI
	JMP forwardrow

forwardinorder:
	ADDQ R12, R9

forwardrow:
	LEAQ (SI)(R12*1), R15 // the next row of x
	VXORPD X14, X14, X14
	XORQ DX, DX

forwardstrip:
	STARTSTRIP(SI)
	CLEARSUMS

forwardpair:
	PAIR
	NEXTPAIR
	JNZ forwardpair
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VMULPD (DI)(DX*1), Y0, Y0
	VMULPD 32(DI)(DX*1), Y1, Y1
	VMOVUPD Y0, (R15)(DX*1)
	VMOVUPD Y1, 32(R15)(DX*1)
	ADDPAIRS(X0, Y0)
	ADDPAIRS(X1, Y1)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT forwardstrip
	SUM
	VMOVSD X14, (R11)
	ADDQ $8, R11
	MOVQ R15, SI
	DECQ R13
	JZ forwarddone
	VUCOMISD X15, X14 // sum < low, or no number
	JCC forwardstep

forwarddone:
	MOVQ steps+0(FP), AX
	SUBQ R13, AX
	MOVQ AX, done+72(FP)
	VZEROUPPER
	RET

// func forwardWide(steps, pairs, width int, x, a, rows *float64, index *int, sums *float64, low float64) (done int)
TEXT ·forwardWide(SB), NOSPLIT, $0-80
	LOADRECURSION
	MOVQ sums+56(FP), R11
	VMOVSD low+64(FP), X15

forwardwidestep:
	MOVQ R9, DI
	TESTQ R10, R10
	JZ forwardwideinorder
	MOVQ (R10), AX
	ADDQ $8, R10
	IMULQ R12, AX
	ADDQ AX, DI
	JMP forwardwiderow

forwardwideinorder:
	ADDQ R12, R9

forwardwiderow:
	LEAQ (SI)(R12*1), R15
	VXORPD X14, X14, X14
	XORQ DX, DX

forwardwidestrip:
	STARTSTRIP(SI)
	VXORPD Y0, Y0, Y0
	VXORPD Y2, Y2, Y2

forwardwidepair:
	PAIRWIDE
	NEXTPAIR
	JNZ forwardwidepair
	VADDPD Z2, Z0, Z0
	VMULPD (DI)(DX*1), Z0, Z0
	VMOVUPD Z0, (R15)(DX*1)
	ADDPAIRSWIDE(X0, Y0, Z0)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT forwardwidestrip
	SUM
	VMOVSD X14, (R11)
	ADDQ $8, R11
	MOVQ R15, SI
	DECQ R13
	JZ forwardwidedone
	VUCOMISD X15, X14
	JCC forwardwidestep

forwardwidedone:
	MOVQ steps+0(FP), AX
	SUBQ R13, AX
	MOVQ AX, done+72(FP)
	VZEROUPPER
	RET

// func backward4(steps, pairs, width int, x, a, rows *float64, index *int, sums, w *float64, low float64, scales *float64) (done int)
TEXT ·backward4(SB), NOSPLIT, $0-96
	LOADBACKWARD

backwardstep:
	MOVQ R9, BX // the row of the table
	TESTQ R10, R10
	JZ backwardinorder
	MOVQ (R10), AX
	SUBQ $8, R10
	IMULQ R12, AX
	ADDQ AX, BX
	JMP backwardrow

backwardinorder:
	SUBQ R12, R9

backwardrow:
	XORQ DX, DX

backwardweigh:
	VMOVUPD (BX)(DX*1), Y0
	VMULPD (DI)(DX*1), Y0, Y0
	VMOVUPD Y0, (R15)(DX*1)
	ADDQ $32, DX
	CMPQ DX, R12
	JLT backwardweigh
	VXORPD X14, X14, X14
	XORQ DX, DX

backwardstrip:
	STARTSTRIP(R15)
	CLEARSUMS

backwardpair:
	PAIR
	NEXTPAIR
	JNZ backwardpair
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VMOVUPD Y0, (SI)(DX*1)
	VMOVUPD Y1, 32(SI)(DX*1)
	ADDPAIRS(X0, Y0)
	ADDPAIRS(X1, Y1)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT backwardstrip
	SUM
	VMOVSD X14, (R11)
	SUBQ $8, R11
	MOVQ scales+80(FP), AX
	TESTQ AX, AX
	JZ backwardnext
	MOVQ $0x3FF0000000000000, BX
	MOVQ BX, X10
	VDIVSD -8(AX)(R13*8), X10, X10
	VBROADCASTSD X10, Y10
	XORQ DX, DX

backwardscale:
	VMULPD (SI)(DX*1), Y10, Y0
	VMOVUPD Y0, (SI)(DX*1)
	ADDQ $32, DX
	CMPQ DX, R12
	JLT backwardscale

backwardnext:
	MOVQ SI, DI
	SUBQ R12, SI
	DECQ R13
	JZ backwarddone
	VUCOMISD X15, X14 // sum < low, or no number
	JCC backwardstep

backwarddone:
	MOVQ steps+0(FP), AX
	SUBQ R13, AX
	MOVQ AX, done+88(FP)
	VZEROUPPER
	RET

// func backwardWide(steps, pairs, width int, x, a, rows *float64, index *int, sums, w *float64, low float64, scales *float64) (done int)
TEXT ·backwardWide(SB), NOSPLIT, $0-96
	LOADBACKWARD

backwardwidestep:
	MOVQ R9, BX // the row of the table
	TESTQ R10, R10
	JZ backwardwideinorder
	MOVQ (R10), AX
	SUBQ $8, R10
	IMULQ R12, AX
	ADDQ AX, BX
	JMP backwardwiderow

backwardwideinorder:
	SUBQ R12, R9

backwardwiderow:
	XORQ DX, DX

backwardwideweigh:
	VMOVUPD (BX)(DX*1), Z0
	VMULPD (DI)(DX*1), Z0, Z0
	VMOVUPD Z0, (R15)(DX*1)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT backwardwideweigh
	VXORPD X14, X14, X14
	XORQ DX, DX

backwardwidestrip:
	STARTSTRIP(R15)
	VXORPD Y0, Y0, Y0
	VXORPD Y2, Y2, Y2

backwardwidepair:
	PAIRWIDE
	NEXTPAIR
	JNZ backwardwidepair
	VADDPD Z2, Z0, Z0
	VMOVUPD Z0, (SI)(DX*1)
	ADDPAIRSWIDE(X0, Y0, Z0)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT backwardwidestrip
	SUM
	VMOVSD X14, (R11)
	SUBQ $8, R11
	MOVQ scales+80(FP), AX
	TESTQ AX, AX
	JZ backwardwidenext
	MOVQ $0x3FF0000000000000, BX
	MOVQ BX, X10
	VDIVSD -8(AX)(R13*8), X10, X10
	VBROADCASTSD X10, Z10
	XORQ DX, DX

backwardwidescale:
	VMULPD (SI)(DX*1), Z10, Z0
	VMOVUPD Z0, (SI)(DX*1)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT backwardwidescale

backwardwidenext:
	MOVQ SI, DI
	SUBQ R12, SI
	DECQ R13
	JZ backwardwidedone
	VUCOMISD X15, X14 // sum < low, or no number
	JCC backwardwidestep

backwardwidedone:
	MOVQ steps+0(FP), AX
	SUBQ R13, AX
	MOVQ AX, done+88(FP)
	VZEROUPPER
	RET

// func smooth4(steps, pairs, width int, x, a, rows *float64, index *int, scales, beta, w *float64)
TEXT ·smooth4(SB), NOSPLIT, $0-80
	LOADSMOOTH

smoothstep:
	MOVQ R9, BX // the row of the table
	TESTQ R10, R10
	JZ smoothinorder
	MOVQ (R10), AX
	SUBQ $8, R10
	IMULQ R12, AX
	ADDQ AX, BX
	JMP smoothrow

smoothinorder:
	SUBQ R12, R9

smoothrow:
	VDIVSD (R11), X15, X10
	SUBQ $8, R11
	VBROADCASTSD X10, Y10
	XORQ DX, DX

smoothweigh:
	VMOVUPD (BX)(DX*1), Y0
	VMULPD (DI)(DX*1), Y0, Y0
	VMULPD Y10, Y0, Y0
	VMOVUPD Y0, (R15)(DX*1)
	ADDQ $32, DX
	CMPQ DX, R12
	JLT smoothweigh
	VXORPD X14, X14, X14
	XORQ DX, DX

smoothstrip:
	STARTSTRIP(R15)
	CLEARSUMS

smoothpair:
	PAIR
	NEXTPAIR
	JNZ smoothpair
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VMOVUPD Y0, (DI)(DX*1)
	VMOVUPD Y1, 32(DI)(DX*1)
	VMULPD (SI)(DX*1), Y0, Y0
	VMULPD 32(SI)(DX*1), Y1, Y1
	VMOVUPD Y0, (SI)(DX*1)
	VMOVUPD Y1, 32(SI)(DX*1)
	ADDPAIRS(X0, Y0)
	ADDPAIRS(X1, Y1)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT smoothstrip
	SUM
	VDIVSD X14, X15, X14
	VBROADCASTSD X14, Y14
	XORQ DX, DX

smoothscale:
	VMULPD (SI)(DX*1), Y14, Y0
	VMOVUPD Y0, (SI)(DX*1)
	ADDQ $32, DX
	CMPQ DX, R12
	JLT smoothscale
	SUBQ R12, SI
	DECQ R13
	JNZ smoothstep
	VZEROUPPER
	RET

// func smoothWide(steps, pairs, width int, x, a, rows *float64, index *int, scales, beta, w *float64)
TEXT ·smoothWide(SB), NOSPLIT, $0-80
	LOADSMOOTH

smoothwidestep:
	MOVQ R9, BX
	TESTQ R10, R10
	JZ smoothwideinorder
	MOVQ (R10), AX
	SUBQ $8, R10
	IMULQ R12, AX
	ADDQ AX, BX
	JMP smoothwiderow

smoothwideinorder:
	SUBQ R12, R9

smoothwiderow:
	VDIVSD (R11), X15, X10
	SUBQ $8, R11
	VBROADCASTSD X10, Z10
	XORQ DX, DX

smoothwideweigh:
	VMOVUPD (BX)(DX*1), Z0
	VMULPD (DI)(DX*1), Z0, Z0
	VMULPD Z10, Z0, Z0
	VMOVUPD Z0, (R15)(DX*1)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT smoothwideweigh
	VXORPD X14, X14, X14
	XORQ DX, DX

smoothwidestrip:
	STARTSTRIP(R15)
	VXORPD Y0, Y0, Y0
	VXORPD Y2, Y2, Y2

smoothwidepair:
	PAIRWIDE
	NEXTPAIR
	JNZ smoothwidepair
	VADDPD Z2, Z0, Z0
	VMOVUPD Z0, (DI)(DX*1)
	VMULPD (SI)(DX*1), Z0, Z0
	VMOVUPD Z0, (SI)(DX*1)
	ADDPAIRSWIDE(X0, Y0, Z0)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT smoothwidestrip
	SUM
	VDIVSD X14, X15, X14
	VBROADCASTSD X14, Z14
	XORQ DX, DX

smoothwidescale:
	VMULPD (SI)(DX*1), Z14, Z0
	VMOVUPD Z0, (SI)(DX*1)
	ADDQ $64, DX
	CMPQ DX, R12
	JLT smoothwidescale
	SUBQ R12, SI
	DECQ R13
	JNZ smoothwidestep
	VZEROUPPER
	RET
