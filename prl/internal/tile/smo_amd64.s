//go:build !purego

#include "textflag.h"

// Step goes through the places with two registers side by side. Each lane keeps the largest e + up that it has met, with the base of the block
// where that was, and the least e + down. In the end the first of the lanes that hold the largest number is chosen. Places are counted in
// float64, of which a minimum can be taken.
//
// Partner compares the places of a block with the best so far all at once. Mostly none is better, and then nothing has changed for the next
// block. Where some are, the first of them becomes the best, the places after it are compared with that, and so on: what a loop over the places
// does.

DATA places<>+0(SB)/8, $0.0
DATA places<>+8(SB)/8, $1.0
DATA places<>+16(SB)/8, $2.0
DATA places<>+24(SB)/8, $3.0
DATA places<>+32(SB)/8, $4.0
DATA places<>+40(SB)/8, $5.0
DATA places<>+48(SB)/8, $6.0
DATA places<>+56(SB)/8, $7.0
DATA places<>+64(SB)/8, $8.0
GLOBL places<>(SB), RODATA|NOPTR, $72

// LOADSTEP reads the arguments of Step and leaves -Inf in X0 and +Inf in X4.
#define LOADSTEP \
	MOVQ blocks+0(FP), CX        \
	MOVQ e+8(FP), SI             \
	MOVQ up+16(FP), DI           \
	MOVQ down+24(FP), R8         \
	MOVQ ki+32(FP), R9           \
	MOVQ kj+40(FP), R10          \
	MOVQ $0xFFF0000000000000, AX \
	MOVQ AX, X0                  \
	MOVQ $0x7FF0000000000000, AX \
	MOVQ AX, X4

// NEXTSTEP goes on by a number of places, whose kernel values take the given numbers of bytes in a row.
#define NEXTSTEP(places, bytes) \
	ADDQ $(8*places), SI \
	ADDQ $(8*places), DI \
	ADDQ $(8*places), R8 \
	ADDQ $bytes, R9      \
	ADDQ $bytes, R10

// Y0, Y1: the largest sums; Y2, Y3: the bases of their blocks; Y4, Y5: the least sums; Y6: the present base; Y7: eight; Y8: d.
#define STARTSTEP \
	LOADSTEP                         \
	ADDQ CX, CX                      \
	VBROADCASTSD X0, Y0              \
	VMOVAPD Y0, Y1                   \
	VXORPD Y2, Y2, Y2                \
	VXORPD Y3, Y3, Y3                \
	VBROADCASTSD X4, Y4              \
	VMOVAPD Y4, Y5                   \
	VXORPD Y6, Y6, Y6                \
	VBROADCASTSD places<>+64(SB), Y7 \
	VBROADCASTSD d+48(FP), Y8

// STEP4 works on four places, from the given offsets in the rows and the other slices.
#define STEP4(load, bytes, offset, hi, at, lo) \
	load bytes(R9), Y9          \
	load bytes(R10), Y10        \
	VSUBPD Y10, Y9, Y9          \
	VMULPD Y9, Y8, Y9           \
	VMOVUPD offset(SI), Y10     \
	VSUBPD Y9, Y10, Y10         \
	VMOVUPD Y10, offset(SI)     \
	VADDPD offset(DI), Y10, Y11 \
	VADDPD offset(R8), Y10, Y12 \
	VCMPPD $30, hi, Y11, Y13    \
	VMAXPD hi, Y11, hi          \
	VBLENDVPD Y13, Y6, at, at   \
	VMINPD lo, Y12, lo

// FOLD makes all four lanes of y their largest or least.
#define FOLD(extreme, y) \
	VPERM2F128 $1, y, y, Y15 \
	extreme Y15, y, y        \
	VPERMILPD $5, y, Y15     \
	extreme Y15, y, y

#define RETURNSTEP(place, largest, least) \
	VCVTTSD2SIQ place, AX   \
	MOVQ AX, first+56(FP)   \
	VMOVSD largest, hi+64(FP) \
	VMOVSD least, lo+72(FP) \
	VZEROUPPER              \
	RET

// ENDSTEP replaces the places of lanes without the largest sum by infinity and returns the least of the others.
#define ENDSTEP \
	VADDPD places<>+0(SB), Y2, Y2    \
	VADDPD places<>+32(SB), Y3, Y3   \
	MOVQ $0x7FF0000000000000, AX     \
	MOVQ AX, X6                      \
	VBROADCASTSD X6, Y6              \
	VMAXPD Y0, Y1, Y9                \
	VMINPD Y4, Y5, Y4                \
	FOLD(VMAXPD, Y9)                 \
	VCMPPD $0, Y9, Y0, Y10           \
	VCMPPD $0, Y9, Y1, Y11           \
	VBLENDVPD Y10, Y2, Y6, Y2        \
	VBLENDVPD Y11, Y3, Y6, Y3        \
	VMINPD Y2, Y3, Y2                \
	FOLD(VMINPD, Y2)                 \
	FOLD(VMINPD, Y4)                 \
	RETURNSTEP(X2, X9, X4)

// LOADPARTNER reads the arguments of Partner. AX is the place of the present block, BX the best place so far; num and den are 0 and 1.
#define LOADPARTNER \
	MOVQ blocks+0(FP), CX           \
	MOVQ e+8(FP), SI                \
	MOVQ down+16(FP), DI            \
	MOVQ diag+24(FP), R8            \
	MOVQ ki+32(FP), R9              \
	XORQ AX, AX                     \
	MOVQ $-1, BX                    \
	VMOVSD places<>+8(SB), X1

// Y0: num; Y1: den; Y2: kii; Y3: hi; Y4: tau; Y5: zero.
#define STARTPARTNER \
	LOADPARTNER               \
	ADDQ CX, CX               \
	VXORPD Y0, Y0, Y0         \
	VBROADCASTSD X1, Y1       \
	VBROADCASTSD kii+40(FP), Y2 \
	VBROADCASTSD hi+48(FP), Y3  \
	VBROADCASTSD tau+56(FP), Y4 \
	VXORPD Y5, Y5, Y5

// GAIN computes b^2, with zero for a negative b, in g and the curvature in a. What is no number stays none.
#define GAIN(load, bytes, offset, g, a, x, zero, kii, hi, tau) \
	VMOVUPD offset(SI), g     \
	VADDPD offset(DI), g, g   \
	VSUBPD g, hi, g           \
	VMAXPD g, zero, g         \
	VMULPD g, g, g            \
	load bytes(R9), x         \
	VADDPD x, x, x            \
	VADDPD offset(R8), kii, a \
	VSUBPD x, a, a            \
	VMAXPD a, tau, a

// BETTER puts into R10 a bit for each of eight places: whether b^2 den > num a.
#define BETTER \
	VMULPD Y1, Y6, Y10        \
	VMULPD Y1, Y7, Y11        \
	VMULPD Y0, Y8, Y12        \
	VMULPD Y0, Y9, Y13        \
	VCMPPD $30, Y12, Y10, Y10 \
	VCMPPD $30, Y13, Y11, Y11 \
	VMOVMSKPD Y10, R10        \
	VMOVMSKPD Y11, R11        \
	SHLL $4, R11              \
	ORL R11, R10

// KEEP puts the g and a of a block where FIRST can pick a place.
#define KEEP \
	VMOVUPD Y6, (SP)   \
	VMOVUPD Y7, 32(SP) \
	VMOVUPD Y8, 64(SP) \
	VMOVUPD Y9, 96(SP)

// FIRST makes the first place in R10 the best and puts a mask of those after it into R12.
#define FIRST(as, num, den) \
	MOVQ CX, R13                  \
	BSFL R10, CX                  \
	LEAQ (AX)(CX*1), BX           \
	VBROADCASTSD (SP)(CX*8), num  \
	VBROADCASTSD as(SP)(CX*8), den \
	MOVQ $-2, R12                 \
	SHLQ CX, R12                  \
	MOVQ R13, CX

#define NEXTPARTNER(places, bytes) \
	ADDQ $(8*places), SI \
	ADDQ $(8*places), DI \
	ADDQ $(8*places), R8 \
	ADDQ $bytes, R9      \
	ADDQ $places, AX     \
	DECQ CX

#define ENDPARTNER \
	MOVQ BX, at+64(FP)   \
	VMOVSD X0, num+72(FP) \
	VMOVSD X1, den+80(FP) \
	VZEROUPPER           \
	RET

// func step16single(blocks int, e, up, down *float64, ki, kj *float32, d float64) (first int, hi, lo float64)
TEXT ·step16single(SB), NOSPLIT, $0-80
	STARTSTEP

stepsingle:
	STEP4(VCVTPS2PD, 0, 0, Y0, Y2, Y4)
	STEP4(VCVTPS2PD, 16, 32, Y1, Y3, Y5)
	VADDPD Y7, Y6, Y6
	NEXTSTEP(8, 32)
	DECQ CX
	JNZ stepsingle
	ENDSTEP

// func step16double(blocks int, e, up, down *float64, ki, kj *float64, d float64) (first int, hi, lo float64)
TEXT ·step16double(SB), NOSPLIT, $0-80
	STARTSTEP

stepdouble:
	STEP4(VMOVUPD, 0, 0, Y0, Y2, Y4)
	STEP4(VMOVUPD, 32, 32, Y1, Y3, Y5)
	VADDPD Y7, Y6, Y6
	NEXTSTEP(8, 64)
	DECQ CX
	JNZ stepdouble
	ENDSTEP

// func partner16single(blocks int, e, down, diag *float64, ki *float32, kii, hi, tau float64) (at int, num, den float64)
TEXT ·partner16single(SB), NOSPLIT, $128-88
	STARTPARTNER

partnersingle:
	GAIN(VCVTPS2PD, 0, 0, Y6, Y8, Y10, Y5, Y2, Y3, Y4)
	GAIN(VCVTPS2PD, 16, 32, Y7, Y9, Y10, Y5, Y2, Y3, Y4)
	BETTER
	TESTL R10, R10
	JNZ partnersinglekeep

partnersinglenext:
	NEXTPARTNER(8, 32)
	JNZ partnersingle
	ENDPARTNER

partnersinglekeep:
	KEEP

partnersinglefirst:
	FIRST(64, Y0, Y1)
	BETTER
	ANDL R12, R10
	JNZ partnersinglefirst
	JMP partnersinglenext

// func partner16double(blocks int, e, down, diag *float64, ki *float64, kii, hi, tau float64) (at int, num, den float64)
TEXT ·partner16double(SB), NOSPLIT, $128-88
	STARTPARTNER

partnerdouble:
	GAIN(VMOVUPD, 0, 0, Y6, Y8, Y10, Y5, Y2, Y3, Y4)
	GAIN(VMOVUPD, 32, 32, Y7, Y9, Y10, Y5, Y2, Y3, Y4)
	BETTER
	TESTL R10, R10
	JNZ partnerdoublekeep

partnerdoublenext:
	NEXTPARTNER(8, 64)
	JNZ partnerdouble
	ENDPARTNER

partnerdoublekeep:
	KEEP

partnerdoublefirst:
	FIRST(64, Y0, Y1)
	BETTER
	ANDL R12, R10
	JNZ partnerdoublefirst
	JMP partnerdoublenext
