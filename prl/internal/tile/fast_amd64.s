//go:build !purego

#include "textflag.h"

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

// With registers of eight numbers all that exp16 multiplies and compares with stays in registers: Z4 ... Z15 the polynomial, Z16 ... Z22
// what comes before it. x, r, p and n are registers of eight numbers each.

#define LOADEXP \
	LEAQ ·exponential(SB), DX \
	VBROADCASTSD (DX), Z16    \ // log2e
	VBROADCASTSD 8(DX), Z17   \ // ln2High
	VBROADCASTSD 16(DX), Z18  \ // ln2Low
	VBROADCASTSD 24(DX), Z19  \ // whole
	VBROADCASTSD 32(DX), Z20  \ // lowest
	VBROADCASTSD 40(DX), Z21  \ // highest
	VBROADCASTSD 48(DX), Z22  \ // infinity
	VBROADCASTSD 56(DX), Z4   \
	VBROADCASTSD 64(DX), Z5   \
	VBROADCASTSD 72(DX), Z6   \
	VBROADCASTSD 80(DX), Z7   \
	VBROADCASTSD 88(DX), Z8   \
	VBROADCASTSD 96(DX), Z9   \
	VBROADCASTSD 104(DX), Z10 \
	VBROADCASTSD 112(DX), Z11 \
	VBROADCASTSD 120(DX), Z12 \
	VBROADCASTSD 128(DX), Z13 \
	VBROADCASTSD 136(DX), Z14 \
	VBROADCASTSD 144(DX), Z15

#define BOTH(op, a0, a1, b0, b1, c0, c1) \
	op a0, b0, c0 \
	op a1, b1, c1

#define STEP2(c) \
	BOTH(VMULPD, Z24, Z25, Z26, Z27, Z26, Z27) \
	BOTH(VADDPD, c, c, Z26, Z27, Z26, Z27)

#define RANGE(x, p) \
	VCMPPD $5, Z20, x, K1  \ // not below the lowest
	VMOVAPD.Z p, K1, p     \
	VCMPPD $14, Z21, x, K1 \ // above the highest
	VMOVAPD Z22, K1, p     \
	VCMPPD $3, x, x, K1    \ // no number
	VMOVAPD x, K1, p

// EXP2 makes Z26 and Z27 the exponentials of Z0 and Z1.
#define EXP2 \
	BOTH(VMULPD, Z16, Z16, Z0, Z1, Z2, Z3)     \
	VRNDSCALEPD $0, Z2, Z2                     \
	VRNDSCALEPD $0, Z3, Z3                     \
	BOTH(VMULPD, Z17, Z17, Z2, Z3, Z24, Z25)   \
	BOTH(VSUBPD, Z24, Z25, Z0, Z1, Z24, Z25)   \
	BOTH(VMULPD, Z18, Z18, Z2, Z3, Z26, Z27)   \
	BOTH(VSUBPD, Z26, Z27, Z24, Z25, Z24, Z25) \
	VMOVAPD Z4, Z26                            \
	VMOVAPD Z4, Z27                            \
	STEP2(Z5)                                  \
	STEP2(Z6)                                  \
	STEP2(Z7)                                  \
	STEP2(Z8)                                  \
	STEP2(Z9)                                  \
	STEP2(Z10)                                 \
	STEP2(Z11)                                 \
	STEP2(Z12)                                 \
	STEP2(Z13)                                 \
	STEP2(Z14)                                 \
	STEP2(Z15)                                 \
	BOTH(VADDPD, Z19, Z19, Z2, Z3, Z2, Z3)     \
	VPSLLQ $52, Z2, Z2                         \
	VPSLLQ $52, Z3, Z3                         \
	BOTH(VPADDQ, Z2, Z3, Z26, Z27, Z26, Z27)   \
	RANGE(Z0, Z26)                             \
	RANGE(Z1, Z27)

// func expWide(n int, x *float64)
TEXT ·expWide(SB), NOSPLIT, $0-16
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	LOADEXP
	PCALIGN $64

expwidestep:
	VMOVUPD (SI), Z0
	VMOVUPD 64(SI), Z1
	EXP2
	VMOVUPD Z26, (SI)
	VMOVUPD Z27, 64(SI)
	ADDQ $128, SI
	DECQ CX
	JNZ expwidestep
	VZEROUPPER
	RET

// func tanhWide(n int, x, slope *float64)
TEXT ·tanhWide(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	MOVQ slope+16(FP), DI
	LOADEXP
	MOVQ $0x3FF0000000000000, AX
	VPBROADCASTQ AX, Z28 // 1
	VADDPD Z28, Z28, Z29 // 2
	PCALIGN $64

tanhstep:
	VMOVUPD (SI), Z0
	VMOVUPD 64(SI), Z1
	BOTH(VADDPD, Z0, Z1, Z0, Z1, Z0, Z1)
	EXP2
	BOTH(VADDPD, Z28, Z28, Z26, Z27, Z26, Z27)
	BOTH(VDIVPD, Z26, Z27, Z29, Z29, Z26, Z27)
	BOTH(VSUBPD, Z26, Z27, Z28, Z28, Z26, Z27) // t = 1 - 2 / (1 + exp 2x)
	VMOVUPD Z26, (SI)
	VMOVUPD Z27, 64(SI)
	BOTH(VMULPD, Z26, Z27, Z26, Z27, Z26, Z27)
	BOTH(VSUBPD, Z26, Z27, Z28, Z28, Z26, Z27)
	VMOVUPD Z26, (DI)
	VMOVUPD Z27, 64(DI)
	ADDQ $128, SI
	ADDQ $128, DI
	DECQ CX
	JNZ tanhstep
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
