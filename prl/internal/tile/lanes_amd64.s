//go:build !purego

#include "textflag.h"

// SUM4 adds to four sums the squared differences of one register of rows to four centres at DI.
#define SUM4(x, t0, t1, t2, t3, s0, s1, s2, s3) \
	VSUBPD.BCST (DI), x, t0   \
	VSUBPD.BCST 8(DI), x, t1  \
	VSUBPD.BCST 16(DI), x, t2 \
	VSUBPD.BCST 24(DI), x, t3 \
	VFMADD231PD t0, t0, s0    \
	VFMADD231PD t1, t1, s1    \
	VFMADD231PD t2, t2, s2    \
	VFMADD231PD t3, t3, s3

// KEEP puts the sums s of eight rows among the least two: the lesser of s and first comes first, the other one may be second. Z24 holds the number of
// the centre.
#define KEEP(s, first, second, at, mask) \
	VCMPPD $1, first, s, mask    \ // s < first
	VMAXPD first, s, Z10         \
	VMINPD Z10, second, second   \
	VMINPD first, s, first       \ // of a NaN and first, first
	VMOVDQA64 Z24, mask, at

// func nearest16(d, groups int, x, centres, first, second *float64, at *int)
//
// Z0 ... Z3 and Z4 ... Z7: the sums of rows 0 ... 7 and 8 ... 15 with four centres.
TEXT ·nearest16(SB), NOSPLIT, $0-56
	MOVQ groups+8(FP), R8
	MOVQ centres+24(FP), DI
	MOVQ $0x7FF0000000000000, AX
	VPBROADCASTQ AX, Z16 // least
	VMOVAPD Z16, Z17
	VMOVAPD Z16, Z18 // second
	VMOVAPD Z16, Z19
	VPXORQ Z20, Z20, Z20 // place of the least
	VPXORQ Z21, Z21, Z21
	VPXORQ Z24, Z24, Z24
	MOVQ $1, AX
	VPBROADCASTQ AX, Z25

group:
	MOVQ d+0(FP), CX
	MOVQ x+16(FP), SI
	VPXORQ Z0, Z0, Z0
	VMOVAPD Z0, Z1
	VMOVAPD Z0, Z2
	VMOVAPD Z0, Z3
	VMOVAPD Z0, Z4
	VMOVAPD Z0, Z5
	VMOVAPD Z0, Z6
	VMOVAPD Z0, Z7

step:
	VMOVUPD (SI), Z8
	VMOVUPD 64(SI), Z9
	SUM4(Z8, Z10, Z11, Z12, Z13, Z0, Z1, Z2, Z3)
	SUM4(Z9, Z26, Z27, Z28, Z29, Z4, Z5, Z6, Z7)
	ADDQ $128, SI
	ADDQ $32, DI
	DECQ CX
	JNZ step
	KEEP(Z0, Z16, Z18, Z20, K1)
	KEEP(Z4, Z17, Z19, Z21, K2)
	VPADDQ Z25, Z24, Z24
	KEEP(Z1, Z16, Z18, Z20, K1)
	KEEP(Z5, Z17, Z19, Z21, K2)
	VPADDQ Z25, Z24, Z24
	KEEP(Z2, Z16, Z18, Z20, K1)
	KEEP(Z6, Z17, Z19, Z21, K2)
	VPADDQ Z25, Z24, Z24
	KEEP(Z3, Z16, Z18, Z20, K1)
	KEEP(Z7, Z17, Z19, Z21, K2)
	VPADDQ Z25, Z24, Z24
	DECQ R8
	JNZ group
	MOVQ first+32(FP), AX
	MOVQ second+40(FP), BX
	MOVQ at+48(FP), DX
	VMOVUPD Z16, (AX)
	VMOVUPD Z17, 64(AX)
	VMOVUPD Z18, (BX)
	VMOVUPD Z19, 64(BX)
	VMOVDQU64 Z20, (DX)
	VMOVDQU64 Z21, 64(DX)
	VZEROUPPER
	RET

// The same for eight rows, with registers of four numbers. Y0 ... Y3: the sums of rows 0 ... 3 with four centres, Y4 ... Y7: those of rows 4 ... 7. What
// was found so far waits in memory.

#define SUM1(offset, left, right) \
	VBROADCASTSD offset(DI), Y10 \
	VSUBPD Y10, Y8, Y11          \
	VSUBPD Y10, Y9, Y12          \
	VFMADD231PD Y11, Y11, left   \
	VFMADD231PD Y12, Y12, right

#define KEEP1(offset, s) \
	VMOVUPD offset(AX), Y8        \
	VMOVUPD offset(BX), Y9        \
	VMOVDQU offset(DX), Y10       \
	VCMPPD $1, Y8, s, Y11         \
	VMAXPD Y8, s, Y12             \
	VMINPD Y12, Y9, Y9            \
	VMINPD Y8, s, Y8              \
	VBLENDVPD Y11, Y13, Y10, Y10  \
	VMOVUPD Y8, offset(AX)        \
	VMOVUPD Y9, offset(BX)        \
	VMOVDQU Y10, offset(DX)

// func nearest8(d, groups int, x, centres, first, second *float64, at *int)
TEXT ·nearest8(SB), NOSPLIT, $0-56
	MOVQ groups+8(FP), R8
	MOVQ centres+24(FP), DI
	MOVQ first+32(FP), AX
	MOVQ second+40(FP), BX
	MOVQ at+48(FP), DX
	MOVQ $0x7FF0000000000000, CX
	MOVQ CX, X0
	VPBROADCASTQ X0, Y0
	VMOVUPD Y0, (AX)
	VMOVUPD Y0, 32(AX)
	VMOVUPD Y0, (BX)
	VMOVUPD Y0, 32(BX)
	VPXOR Y13, Y13, Y13 // the number of the centre
	VMOVDQU Y13, (DX)
	VMOVDQU Y13, 32(DX)
	MOVQ $1, CX
	MOVQ CX, X14
	VPBROADCASTQ X14, Y14

group8:
	MOVQ d+0(FP), CX
	MOVQ x+16(FP), SI
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7

step8:
	VMOVUPD (SI), Y8
	VMOVUPD 32(SI), Y9
	SUM1(0, Y0, Y4)
	SUM1(8, Y1, Y5)
	SUM1(16, Y2, Y6)
	SUM1(24, Y3, Y7)
	ADDQ $128, SI
	ADDQ $32, DI
	DECQ CX
	JNZ step8
	KEEP1(0, Y0)
	KEEP1(32, Y4)
	VPADDQ Y14, Y13, Y13
	KEEP1(0, Y1)
	KEEP1(32, Y5)
	VPADDQ Y14, Y13, Y13
	KEEP1(0, Y2)
	KEEP1(32, Y6)
	VPADDQ Y14, Y13, Y13
	KEEP1(0, Y3)
	KEEP1(32, Y7)
	VPADDQ Y14, Y13, Y13
	DECQ R8
	JNZ group8
	VZEROUPPER
	RET

// TURN transposes four rows of four numbers, columns CX ... CX+3 of the rows at SI, R8, R9 and R10, to DX, DX + R11, DX + 2 R11 and DX + R12.
#define TURN(a, b, c, d, p, q, r, s) \
	VMOVUPD (SI)(CX*8), a       \
	VMOVUPD (R8)(CX*8), b       \
	VMOVUPD (R9)(CX*8), c       \
	VMOVUPD (R10)(CX*8), d      \
	VUNPCKLPD b, a, p           \ // a0 b0 a2 b2
	VUNPCKHPD b, a, q           \ // a1 b1 a3 b3
	VUNPCKLPD d, c, r           \
	VUNPCKHPD d, c, s           \
	VPERM2F128 $0x20, r, p, a   \
	VPERM2F128 $0x20, s, q, b   \
	VPERM2F128 $0x31, r, p, c   \
	VPERM2F128 $0x31, s, q, d   \
	VMOVUPD a, (DX)             \
	VMOVUPD b, (DX)(R11*1)      \
	VMOVUPD c, (DX)(R11*2)      \
	VMOVUPD d, (DX)(R12*1)

// func turn4(n int, x *float64, stride int, to *float64, step int)
//
// Columns are worked on four at a time; the last four overlap those before them when n is not a multiple of four.
TEXT ·turn4(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), BX
	MOVQ x+8(FP), SI
	MOVQ stride+16(FP), AX
	MOVQ to+24(FP), DI
	MOVQ step+32(FP), R11
	SHLQ $3, R11
	LEAQ (R11)(R11*2), R12
	LEAQ (SI)(AX*8), R8
	LEAQ (R8)(AX*8), R9
	LEAQ (R9)(AX*8), R10
	LEAQ -4(BX), R13
	XORQ CX, CX
	MOVQ DI, DX

column:
	TURN(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)
	ADDQ $4, CX
	LEAQ (DX)(R11*4), DX
	CMPQ CX, R13
	JLE column
	CMPQ CX, BX
	JGE turned
	MOVQ R13, CX
	MOVQ R13, DX
	IMULQ R11, DX
	ADDQ DI, DX
	JMP column

turned:
	VZEROUPPER
	RET

// func subtractRows(m, d int, x, mean, dst *float64, stride int)
TEXT ·subtractRows(SB), NOSPLIT, $0-48
	MOVQ m+0(FP), AX
	MOVQ d+8(FP), BX
	MOVQ x+16(FP), SI
	MOVQ mean+24(FP), DI
	MOVQ dst+32(FP), DX
	MOVQ stride+40(FP), R8
	SHLQ $3, R8
	LEAQ -16(BX), R9
	LEAQ -4(BX), R10

subtractrow:
	XORQ CX, CX
	CMPQ CX, R9
	JGT subtractfew

subtract16:
	VMOVUPD (SI)(CX*8), Y0
	VMOVUPD 32(SI)(CX*8), Y1
	VMOVUPD 64(SI)(CX*8), Y2
	VMOVUPD 96(SI)(CX*8), Y3
	VSUBPD (DI)(CX*8), Y0, Y0
	VSUBPD 32(DI)(CX*8), Y1, Y1
	VSUBPD 64(DI)(CX*8), Y2, Y2
	VSUBPD 96(DI)(CX*8), Y3, Y3
	VMOVUPD Y0, (DX)(CX*8)
	VMOVUPD Y1, 32(DX)(CX*8)
	VMOVUPD Y2, 64(DX)(CX*8)
	VMOVUPD Y3, 96(DX)(CX*8)
	ADDQ $16, CX
	CMPQ CX, R9
	JLE subtract16

subtractfew:
	CMPQ CX, R10
	JGT subtractone
	VMOVUPD (SI)(CX*8), Y0
	VSUBPD (DI)(CX*8), Y0, Y0
	VMOVUPD Y0, (DX)(CX*8)
	ADDQ $4, CX
	JMP subtractfew

subtractone:
	CMPQ CX, BX
	JGE subtracted
	VMOVSD (SI)(CX*8), X0
	VSUBSD (DI)(CX*8), X0, X0
	VMOVSD X0, (DX)(CX*8)
	INCQ CX
	JMP subtractone

subtracted:
	LEAQ (SI)(BX*8), SI
	ADDQ R8, DX
	DECQ AX
	JNZ subtractrow
	VZEROUPPER
	RET

// func sumRows(m, d int, x, pilot, sum *float64)
TEXT ·sumRows(SB), NOSPLIT, $0-40
	MOVQ m+0(FP), AX
	MOVQ d+8(FP), BX
	MOVQ x+16(FP), SI
	MOVQ pilot+24(FP), DI
	MOVQ sum+32(FP), DX
	LEAQ -16(BX), R9
	LEAQ -4(BX), R10

sumrow:
	XORQ CX, CX
	CMPQ CX, R9
	JGT sumfew

sum16:
	VMOVUPD (SI)(CX*8), Y0
	VMOVUPD 32(SI)(CX*8), Y1
	VMOVUPD 64(SI)(CX*8), Y2
	VMOVUPD 96(SI)(CX*8), Y3
	VSUBPD (DI)(CX*8), Y0, Y0
	VSUBPD 32(DI)(CX*8), Y1, Y1
	VSUBPD 64(DI)(CX*8), Y2, Y2
	VSUBPD 96(DI)(CX*8), Y3, Y3
	VADDPD (DX)(CX*8), Y0, Y0
	VADDPD 32(DX)(CX*8), Y1, Y1
	VADDPD 64(DX)(CX*8), Y2, Y2
	VADDPD 96(DX)(CX*8), Y3, Y3
	VMOVUPD Y0, (DX)(CX*8)
	VMOVUPD Y1, 32(DX)(CX*8)
	VMOVUPD Y2, 64(DX)(CX*8)
	VMOVUPD Y3, 96(DX)(CX*8)
	ADDQ $16, CX
	CMPQ CX, R9
	JLE sum16

sumfew:
	CMPQ CX, R10
	JGT sumone
	VMOVUPD (SI)(CX*8), Y0
	VSUBPD (DI)(CX*8), Y0, Y0
	VADDPD (DX)(CX*8), Y0, Y0
	VMOVUPD Y0, (DX)(CX*8)
	ADDQ $4, CX
	JMP sumfew

sumone:
	CMPQ CX, BX
	JGE summed
	VMOVSD (SI)(CX*8), X0
	VSUBSD (DI)(CX*8), X0, X0
	VADDSD (DX)(CX*8), X0, X0
	VMOVSD X0, (DX)(CX*8)
	INCQ CX
	JMP sumone

summed:
	LEAQ (SI)(BX*8), SI
	DECQ AX
	JNZ sumrow
	VZEROUPPER
	RET

// func momentRows(m, d int, x, pilot *float64, w float64, sum, squares *float64)
TEXT ·momentRows(SB), NOSPLIT, $0-56
	MOVQ m+0(FP), AX
	MOVQ d+8(FP), BX
	MOVQ x+16(FP), SI
	MOVQ pilot+24(FP), DI
	VBROADCASTSD w+32(FP), Y15
	MOVQ sum+40(FP), DX
	MOVQ squares+48(FP), R8
	LEAQ -8(BX), R9
	LEAQ -4(BX), R10

momentrow:
	XORQ CX, CX
	CMPQ CX, R9
	JGT momentfew

moment8:
	VMOVUPD (SI)(CX*8), Y0
	VMOVUPD 32(SI)(CX*8), Y1
	VSUBPD (DI)(CX*8), Y0, Y0
	VSUBPD 32(DI)(CX*8), Y1, Y1
	VMULPD Y15, Y0, Y2
	VMULPD Y15, Y1, Y3
	VADDPD (DX)(CX*8), Y2, Y4
	VADDPD 32(DX)(CX*8), Y3, Y5
	VMOVUPD (R8)(CX*8), Y6
	VMOVUPD 32(R8)(CX*8), Y7
	VMULPD Y2, Y0, Y0
	VMULPD Y3, Y1, Y1
	VADDPD Y0, Y6, Y6
	VADDPD Y1, Y7, Y7
	VMOVUPD Y4, (DX)(CX*8)
	VMOVUPD Y5, 32(DX)(CX*8)
	VMOVUPD Y6, (R8)(CX*8)
	VMOVUPD Y7, 32(R8)(CX*8)
	ADDQ $8, CX
	CMPQ CX, R9
	JLE moment8

momentfew:
	CMPQ CX, R10
	JGT momentone
	VMOVUPD (SI)(CX*8), Y0
	VSUBPD (DI)(CX*8), Y0, Y0
	VMULPD Y15, Y0, Y2
	VADDPD (DX)(CX*8), Y2, Y4
	VMOVUPD (R8)(CX*8), Y6
	VMULPD Y2, Y0, Y0
	VADDPD Y0, Y6, Y6
	VMOVUPD Y4, (DX)(CX*8)
	VMOVUPD Y6, (R8)(CX*8)
	ADDQ $4, CX
	JMP momentfew

momentone:
	CMPQ CX, BX
	JGE moments
	VMOVSD (SI)(CX*8), X0
	VSUBSD (DI)(CX*8), X0, X0
	VMULSD X15, X0, X2
	VADDSD (DX)(CX*8), X2, X4
	VMOVSD (R8)(CX*8), X6
	VMULSD X2, X0, X0
	VADDSD X0, X6, X6
	VMOVSD X4, (DX)(CX*8)
	VMOVSD X6, (R8)(CX*8)
	INCQ CX
	JMP momentone

moments:
	LEAQ (SI)(BX*8), SI
	DECQ AX
	JNZ momentrow
	VZEROUPPER
	RET
