//go:build !purego

#include "textflag.h"

// A tile of 4 x 8 numbers lives in Y0 ... Y7, two registers a row. In each step one row of b is loaded into Y8 and Y9, and each of four numbers of a
// is spread over Y10 and meets both halves. Products are rounded before they are added: no fused multiply-add.

// LOAD reads the arguments of a tile routine, turns strides into bytes and loads the tile.
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
	LEAQ (AX)(BX*2), BX   \
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

// ALL spreads one constant over a register.
#define ALL(bits, register, low) \
	MOVQ $bits, AX \
	MOVQ AX, low   \
	VPBROADCASTQ low, register

// STEP is p = p r + t, with t the next coefficient.
#define STEP(offset) \
	VMULPD Y2, Y3, Y3 \
	VBROADCASTSD offset(DX), Y4 \
	VADDPD Y4, Y3, Y3

// func mul4x8(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr int)
TEXT ·mul4x8(SB), NOSPLIT, $0-64
	LOAD

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

// func exp4(n int, x *float64)
TEXT ·exp4(SB), NOSPLIT, $0-16
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	LEAQ ·taylor(SB), DX
	ALL(0x3FF71547652B82FE, Y15, X15) // log2e
	ALL(0x3FE62E42FEE00000, Y14, X14) // ln2High
	ALL(0x3DEA39EF35793C76, Y13, X13) // ln2Low
	ALL(0xC086200000000000, Y12, X12) // lowest, -708
	ALL(0x4086280000000000, Y11, X11) // highest, 709
	ALL(0x4338000000000000, Y10, X10) // 1.5 2^52: adding it leaves a whole number in the low bits
	ALL(0x7FF0000000000000, Y9, X9)

expstep:
	VMOVUPD (SI), Y0
	VMULPD Y15, Y0, Y1
	VROUNDPD $0, Y1, Y1          // n
	VMULPD Y14, Y1, Y2
	VSUBPD Y2, Y0, Y2
	VMULPD Y13, Y1, Y3
	VSUBPD Y3, Y2, Y2            // r
	VBROADCASTSD (DX), Y3
	STEP(8)
	STEP(16)
	STEP(24)
	STEP(32)
	STEP(40)
	STEP(48)
	STEP(56)
	STEP(64)
	STEP(72)
	STEP(80)
	STEP(88)
	STEP(96)
	STEP(104)
	VADDPD Y10, Y1, Y1
	VPSLLQ $52, Y1, Y1
	VPADDQ Y1, Y3, Y3            // times 2^n
	VCMPPD $1, Y12, Y0, Y4       // x < lowest: zero
	VANDNPD Y3, Y4, Y3
	VCMPPD $14, Y11, Y0, Y4      // x > highest: infinite
	VBLENDVPD Y4, Y9, Y3, Y3
	VCMPPD $3, Y0, Y0, Y4        // no number stays as it is
	VBLENDVPD Y4, Y0, Y3, Y3
	VMOVUPD Y3, (SI)
	ADDQ $32, SI
	DECQ CX
	JNZ expstep
	VZEROUPPER
	RET
