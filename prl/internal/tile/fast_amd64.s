//go:build !purego

#include "textflag.h"

// A tile of 4 x 8 numbers lives in Y0 ... Y7, two registers a row. In each step one row of b is loaded into Y8 and Y9, and each of four numbers of a
// is spread over Y10 and meets both halves. Products are rounded before they are added: no fused multiply-add.

// LOAD reads the arguments of a tile routine and turns strides into bytes, LOADTILE loads the tile.
#define LOAD \
	MOVQ k+0(FP), CX    \
	MOVQ a+8(FP), SI    \
	MOVQ ai+16(FP), R8  \
	MOVQ ar+24(FP), R9  \
	MOVQ b+32(FP), DI   \
	MOVQ br+40(FP), R10 \
	MOVQ c+48(FP), DX   \
	MOVQ cr+56(FP), BX  \
	SHLQ $3, R8         \
	SHLQ $3, R9         \
	SHLQ $3, R10        \
	SHLQ $3, BX         \
	LEAQ (SI)(R8*1), R11  \
	LEAQ (SI)(R8*2), R12  \
	LEAQ (R11)(R8*2), R13 \
	LEAQ (DX)(BX*1), AX   \
	LEAQ (DX)(BX*2), R8   \
	LEAQ (AX)(BX*2), BX

#define LOADTILE \
	VMOVUPD (DX), Y0   \
	VMOVUPD 32(DX), Y1 \
	VMOVUPD (AX), Y2   \
	VMOVUPD 32(AX), Y3 \
	VMOVUPD (R8), Y4   \
	VMOVUPD 32(R8), Y5 \
	VMOVUPD (BX), Y6   \
	VMOVUPD 32(BX), Y7

// STORE writes the tile back and returns.
#define STORE \
	VMOVUPD Y0, (DX)   \
	VMOVUPD Y1, 32(DX) \
	VMOVUPD Y2, (AX)   \
	VMOVUPD Y3, 32(AX) \
	VMOVUPD Y4, (R8)   \
	VMOVUPD Y5, 32(R8) \
	VMOVUPD Y6, (BX)   \
	VMOVUPD Y7, 32(BX) \
	VZEROUPPER         \
	RET

// NEXT goes one step along a and b.
#define NEXT \
	ADDQ R9, SI  \
	ADDQ R9, R11 \
	ADDQ R9, R12 \
	ADDQ R9, R13 \
	ADDQ R10, DI \
	DECQ CX

#define PRODUCTS(row, left, right) \
	VBROADCASTSD (row), Y10   \
	VMULPD Y8, Y10, Y11       \
	VMULPD Y9, Y10, Y12       \
	VADDPD Y11, left, left    \
	VADDPD Y12, right, right

#define DIFFERENCES(row, left, right) \
	VBROADCASTSD (row), Y10   \
	VSUBPD Y8, Y10, Y11       \
	VSUBPD Y9, Y10, Y12       \
	VMULPD Y11, Y11, Y11      \
	VMULPD Y12, Y12, Y12      \
	VADDPD Y11, left, left    \
	VADDPD Y12, right, right

// One row meets four strips: Y0 ... Y7 hold the 32 sums, two registers a strip.

#define LOADROW \
	MOVQ k+0(FP), CX      \
	MOVQ a+8(FP), SI      \
	MOVQ b+16(FP), DI     \
	MOVQ strip+24(FP), AX \
	MOVQ c+32(FP), DX     \
	SHLQ $3, AX           \
	LEAQ (DI)(AX*1), R8   \
	LEAQ (DI)(AX*2), R9   \
	LEAQ (R8)(AX*2), R10  \
	VXORPD Y0, Y0, Y0     \
	VXORPD Y1, Y1, Y1     \
	VXORPD Y2, Y2, Y2     \
	VXORPD Y3, Y3, Y3     \
	VXORPD Y4, Y4, Y4     \
	VXORPD Y5, Y5, Y5     \
	VXORPD Y6, Y6, Y6     \
	VXORPD Y7, Y7, Y7

#define STOREROW \
	VMOVUPD Y0, (DX)    \
	VMOVUPD Y1, 32(DX)  \
	VMOVUPD Y2, 64(DX)  \
	VMOVUPD Y3, 96(DX)  \
	VMOVUPD Y4, 128(DX) \
	VMOVUPD Y5, 160(DX) \
	VMOVUPD Y6, 192(DX) \
	VMOVUPD Y7, 224(DX) \
	VZEROUPPER          \
	RET

#define NEXTROW \
	ADDQ $8, SI   \
	ADDQ $64, DI  \
	ADDQ $64, R8  \
	ADDQ $64, R9  \
	ADDQ $64, R10 \
	DECQ CX

#define ROWPRODUCTS(strip, left, right) \
	VMULPD (strip), Y8, Y9    \
	VMULPD 32(strip), Y8, Y10 \
	VADDPD Y9, left, left     \
	VADDPD Y10, right, right

#define ROWDIFFERENCES(strip, left, right) \
	VSUBPD (strip), Y8, Y9    \
	VSUBPD 32(strip), Y8, Y10 \
	VMULPD Y9, Y9, Y9         \
	VMULPD Y10, Y10, Y10      \
	VADDPD Y9, left, left     \
	VADDPD Y10, right, right

#define ROWABSOLUTES(strip, left, right) \
	VSUBPD (strip), Y8, Y9    \
	VSUBPD 32(strip), Y8, Y10 \
	VANDPD Y11, Y9, Y9        \
	VANDPD Y11, Y10, Y10      \
	VADDPD Y9, left, left     \
	VADDPD Y10, right, right

// Sixteen exponentials: Y0 ... Y3 hold r, Y4 ... Y7 the polynomial, Y8 ... Y11 n. ALL4 does one thing to four registers.

#define ALL4(op, a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3) \
	op a0, b0, c0 \
	op a1, b1, c1 \
	op a2, b2, c2 \
	op a3, b3, c3

// STEP is p = p r + c, with c the next coefficient.
#define STEP(offset) \
	ALL4(VMULPD, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y4, Y5, Y6, Y7)          \
	VBROADCASTSD offset(DX), Y12                                        \
	ALL4(VADDPD, Y12, Y12, Y12, Y12, Y4, Y5, Y6, Y7, Y4, Y5, Y6, Y7)

// FINISH multiplies p by 2^n and sees to arguments that are out of range or no numbers.
#define FINISH(offset, p, n) \
	VADDPD Y12, n, n             \
	VPSLLQ $52, n, n             \
	VPADDQ n, p, p               \
	VMOVUPD offset(SI), Y0       \
	VCMPPD $1, Y13, Y0, Y1       \
	VANDNPD p, Y1, p             \
	VCMPPD $14, Y14, Y0, Y1      \
	VBLENDVPD Y1, Y15, p, p      \
	VCMPPD $3, Y0, Y0, Y1        \
	VBLENDVPD Y1, Y0, p, p       \
	VMOVUPD p, offset(SI)

// The same with registers of eight numbers: a tile of 4 x 16, whose right half comes from b + right. Z0 ... Z7 hold it, two registers a row.

#define LOADWIDE \
	MOVQ k+0(FP), CX      \
	MOVQ a+8(FP), SI      \
	MOVQ ai+16(FP), R8    \
	MOVQ ar+24(FP), R9    \
	MOVQ b+32(FP), DI     \
	MOVQ br+40(FP), R10   \
	MOVQ right+48(FP), AX \
	MOVQ c+56(FP), DX     \
	MOVQ cr+64(FP), BX    \
	SHLQ $3, R8           \
	SHLQ $3, R9           \
	SHLQ $3, R10          \
	SHLQ $3, AX           \
	SHLQ $3, BX           \
	LEAQ (SI)(R8*1), R11  \
	LEAQ (SI)(R8*2), R12  \
	LEAQ (R11)(R8*2), R13 \
	MOVQ AX, R15    \
	LEAQ (DX)(BX*1), AX   \
	LEAQ (DX)(BX*2), R8   \
	LEAQ (AX)(BX*2), BX   \
	VMOVUPD (DX), Z0   \
	VMOVUPD 64(DX), Z1 \
	VMOVUPD (AX), Z2   \
	VMOVUPD 64(AX), Z3 \
	VMOVUPD (R8), Z4   \
	VMOVUPD 64(R8), Z5 \
	VMOVUPD (BX), Z6   \
	VMOVUPD 64(BX), Z7

#define STOREWIDE \
	VMOVUPD Z0, (DX)   \
	VMOVUPD Z1, 64(DX) \
	VMOVUPD Z2, (AX)   \
	VMOVUPD Z3, 64(AX) \
	VMOVUPD Z4, (R8)   \
	VMOVUPD Z5, 64(R8) \
	VMOVUPD Z6, (BX)   \
	VMOVUPD Z7, 64(BX) \
	VZEROUPPER         \
	RET

#define WIDEPRODUCTS(row, left, right) \
	VBROADCASTSD (row), Z10   \
	VMULPD Z8, Z10, Z11       \
	VMULPD Z9, Z10, Z12       \
	VADDPD Z11, left, left    \
	VADDPD Z12, right, right

#define WIDEDIFFERENCES(row, left, right) \
	VBROADCASTSD (row), Z10   \
	VSUBPD Z8, Z10, Z11       \
	VSUBPD Z9, Z10, Z12       \
	VMULPD Z11, Z11, Z11      \
	VMULPD Z12, Z12, Z12      \
	VADDPD Z11, left, left    \
	VADDPD Z12, right, right

// func mul4x8(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr int)
TEXT ·mul4x8(SB), NOSPLIT, $0-64
	LOAD
	LOADTILE

mulstep:
	VMOVUPD (DI), Y8
	VMOVUPD 32(DI), Y9
	PRODUCTS(SI, Y0, Y1)
	PRODUCTS(R11, Y2, Y3)
	PRODUCTS(R12, Y4, Y5)
	PRODUCTS(R13, Y6, Y7)
	NEXT
	JNZ mulstep
	STORE

// func distances4x8(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr int)
TEXT ·distances4x8(SB), NOSPLIT, $0-64
	LOAD
	LOADTILE

distancestep:
	VMOVUPD (DI), Y8
	VMOVUPD 32(DI), Y9
	DIFFERENCES(SI, Y0, Y1)
	DIFFERENCES(R11, Y2, Y3)
	DIFFERENCES(R12, Y4, Y5)
	DIFFERENCES(R13, Y6, Y7)
	NEXT
	JNZ distancestep
	STORE

// func mul4x16(k int, a *float64, ai, ar int, b *float64, br, right int, c *float64, cr int)
TEXT ·mul4x16(SB), NOSPLIT, $0-72
	LOADWIDE

mulwidestep:
	VMOVUPD (DI), Z8
	VMOVUPD (DI)(R15*1), Z9
	WIDEPRODUCTS(SI, Z0, Z1)
	WIDEPRODUCTS(R11, Z2, Z3)
	WIDEPRODUCTS(R12, Z4, Z5)
	WIDEPRODUCTS(R13, Z6, Z7)
	NEXT
	JNZ mulwidestep
	STOREWIDE

// func distances4x16(k int, a *float64, ai, ar int, b *float64, br, right int, c *float64, cr int)
TEXT ·distances4x16(SB), NOSPLIT, $0-72
	LOADWIDE

distanceswidestep:
	VMOVUPD (DI), Z8
	VMOVUPD (DI)(R15*1), Z9
	WIDEDIFFERENCES(SI, Z0, Z1)
	WIDEDIFFERENCES(R11, Z2, Z3)
	WIDEDIFFERENCES(R12, Z4, Z5)
	WIDEDIFFERENCES(R13, Z6, Z7)
	NEXT
	JNZ distanceswidestep
	STOREWIDE

// func mul4x8wide(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr int)
TEXT ·mul4x8wide(SB), NOSPLIT, $0-64
	LOAD
	VMOVUPD (DX), Z0
	VMOVUPD (AX), Z2
	VMOVUPD (R8), Z4
	VMOVUPD (BX), Z6

mulstripstep:
	VMOVUPD (DI), Z8
	VBROADCASTSD (SI), Z10
	VMULPD Z8, Z10, Z11
	VADDPD Z11, Z0, Z0
	VBROADCASTSD (R11), Z12
	VMULPD Z8, Z12, Z13
	VADDPD Z13, Z2, Z2
	VBROADCASTSD (R12), Z14
	VMULPD Z8, Z14, Z15
	VADDPD Z15, Z4, Z4
	VBROADCASTSD (R13), Z16
	VMULPD Z8, Z16, Z17
	VADDPD Z17, Z6, Z6
	NEXT
	JNZ mulstripstep
	VMOVUPD Z0, (DX)
	VMOVUPD Z2, (AX)
	VMOVUPD Z4, (R8)
	VMOVUPD Z6, (BX)
	VZEROUPPER
	RET

// func distances4x8wide(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr int)
TEXT ·distances4x8wide(SB), NOSPLIT, $0-64
	LOAD
	VMOVUPD (DX), Z0
	VMOVUPD (AX), Z2
	VMOVUPD (R8), Z4
	VMOVUPD (BX), Z6

distancesstripstep:
	VMOVUPD (DI), Z8
	VBROADCASTSD (SI), Z10
	VSUBPD Z8, Z10, Z11
	VMULPD Z11, Z11, Z11
	VADDPD Z11, Z0, Z0
	VBROADCASTSD (R11), Z12
	VSUBPD Z8, Z12, Z13
	VMULPD Z13, Z13, Z13
	VADDPD Z13, Z2, Z2
	VBROADCASTSD (R12), Z14
	VSUBPD Z8, Z14, Z15
	VMULPD Z15, Z15, Z15
	VADDPD Z15, Z4, Z4
	VBROADCASTSD (R13), Z16
	VSUBPD Z8, Z16, Z17
	VMULPD Z17, Z17, Z17
	VADDPD Z17, Z6, Z6
	NEXT
	JNZ distancesstripstep
	VMOVUPD Z0, (DX)
	VMOVUPD Z2, (AX)
	VMOVUPD Z4, (R8)
	VMOVUPD Z6, (BX)
	VZEROUPPER
	RET

// func mul1x32(k int, a, b *float64, strip int, c *float64)
TEXT ·mul1x32(SB), NOSPLIT, $0-40
	LOADROW

mulrowstep:
	VBROADCASTSD (SI), Y8
	ROWPRODUCTS(DI, Y0, Y1)
	ROWPRODUCTS(R8, Y2, Y3)
	ROWPRODUCTS(R9, Y4, Y5)
	ROWPRODUCTS(R10, Y6, Y7)
	NEXTROW
	JNZ mulrowstep
	STOREROW

// func distances1x32(k int, a, b *float64, strip int, c *float64)
TEXT ·distances1x32(SB), NOSPLIT, $0-40
	LOADROW

distancesrowstep:
	VBROADCASTSD (SI), Y8
	ROWDIFFERENCES(DI, Y0, Y1)
	ROWDIFFERENCES(R8, Y2, Y3)
	ROWDIFFERENCES(R9, Y4, Y5)
	ROWDIFFERENCES(R10, Y6, Y7)
	NEXTROW
	JNZ distancesrowstep
	STOREROW

// func absolute1x32(k int, a, b *float64, strip int, c *float64)
TEXT ·absolute1x32(SB), NOSPLIT, $0-40
	LOADROW
	VPCMPEQQ Y11, Y11, Y11
	VPSRLQ $1, Y11, Y11 // all bits but the sign

absoluterowstep:
	VBROADCASTSD (SI), Y8
	ROWABSOLUTES(DI, Y0, Y1)
	ROWABSOLUTES(R8, Y2, Y3)
	ROWABSOLUTES(R9, Y4, Y5)
	ROWABSOLUTES(R10, Y6, Y7)
	NEXTROW
	JNZ absoluterowstep
	STOREROW

// func minPlus8(k int, cost, b *float64, br int, best *float64, arg *int64)
//
// Y0, Y1: the least sums so far; Y2, Y3: where they were found; Y4: the present index in all lanes; Y5: ones.
TEXT ·minPlus8(SB), NOSPLIT, $0-48
	MOVQ k+0(FP), CX
	MOVQ cost+8(FP), SI
	MOVQ b+16(FP), DI
	MOVQ br+24(FP), R10
	MOVQ best+32(FP), DX
	MOVQ arg+40(FP), BX
	SHLQ $3, R10
	MOVQ $0x7FF0000000000000, AX
	MOVQ AX, X0
	VPBROADCASTQ X0, Y0
	VMOVAPD Y0, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	MOVQ $1, AX
	MOVQ AX, X5
	VPBROADCASTQ X5, Y5

minstep:
	VBROADCASTSD (SI), Y10
	VADDPD (DI), Y10, Y11
	VADDPD 32(DI), Y10, Y12
	VCMPPD $1, Y0, Y11, Y13      // sum < least
	VCMPPD $1, Y1, Y12, Y14
	VMINPD Y0, Y11, Y0
	VMINPD Y1, Y12, Y1
	VBLENDVPD Y13, Y4, Y2, Y2
	VBLENDVPD Y14, Y4, Y3, Y3
	VPADDQ Y5, Y4, Y4
	ADDQ $8, SI
	ADDQ R10, DI
	DECQ CX
	JNZ minstep
	VMOVUPD Y0, (DX)
	VMOVUPD Y1, 32(DX)
	VMOVDQU Y2, (BX)
	VMOVDQU Y3, 32(BX)
	VZEROUPPER
	RET

// func exp16(n int, x *float64)
TEXT ·exp16(SB), NOSPLIT, $0-16
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	LEAQ ·exponential(SB), DX
	VBROADCASTSD 32(DX), Y13 // lowest
	VBROADCASTSD 40(DX), Y14 // highest
	VBROADCASTSD 48(DX), Y15 // infinity

expstep:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	VMOVUPD 64(SI), Y2
	VMOVUPD 96(SI), Y3
	VBROADCASTSD (DX), Y12   // log2e
	ALL4(VMULPD, Y12, Y12, Y12, Y12, Y0, Y1, Y2, Y3, Y8, Y9, Y10, Y11)
	VROUNDPD $0, Y8, Y8
	VROUNDPD $0, Y9, Y9
	VROUNDPD $0, Y10, Y10
	VROUNDPD $0, Y11, Y11
	VBROADCASTSD 8(DX), Y12  // ln2High
	ALL4(VMULPD, Y12, Y12, Y12, Y12, Y8, Y9, Y10, Y11, Y4, Y5, Y6, Y7)
	ALL4(VSUBPD, Y4, Y5, Y6, Y7, Y0, Y1, Y2, Y3, Y0, Y1, Y2, Y3)
	VBROADCASTSD 16(DX), Y12 // ln2Low
	ALL4(VMULPD, Y12, Y12, Y12, Y12, Y8, Y9, Y10, Y11, Y4, Y5, Y6, Y7)
	ALL4(VSUBPD, Y4, Y5, Y6, Y7, Y0, Y1, Y2, Y3, Y0, Y1, Y2, Y3)
	VBROADCASTSD 56(DX), Y4
	VMOVAPD Y4, Y5
	VMOVAPD Y4, Y6
	VMOVAPD Y4, Y7
	STEP(64)
	STEP(72)
	STEP(80)
	STEP(88)
	STEP(96)
	STEP(104)
	STEP(112)
	STEP(120)
	STEP(128)
	STEP(136)
	STEP(144)
	VBROADCASTSD 24(DX), Y12 // whole
	FINISH(0, Y4, Y8)
	FINISH(32, Y5, Y9)
	FINISH(64, Y6, Y10)
	FINISH(96, Y7, Y11)
	ADDQ $128, SI
	DECQ CX
	JNZ expstep
	VZEROUPPER
	RET

// func finite16(n int, x *float64) bool
//
// v - v is zero, with all bits clear, for a number and no number otherwise.
TEXT ·finite16(SB), NOSPLIT, $0-17
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	VXORPD Y8, Y8, Y8

finitestep:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	VMOVUPD 64(SI), Y2
	VMOVUPD 96(SI), Y3
	ALL4(VSUBPD, Y0, Y1, Y2, Y3, Y0, Y1, Y2, Y3, Y0, Y1, Y2, Y3)
	VORPD Y0, Y1, Y0
	VORPD Y2, Y3, Y2
	VORPD Y0, Y8, Y8
	VORPD Y2, Y8, Y8
	ADDQ $128, SI
	DECQ CX
	JNZ finitestep
	VPTEST Y8, Y8
	SETEQ ret+16(FP)
	VZEROUPPER
	RET
