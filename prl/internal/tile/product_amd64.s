//go:build !purego

#include "textflag.h"

// Tiles of products and distances. In each step of the inner index one row of b is loaded, and each of the numbers of a that meet it is spread over a
// register: products are added by fused multiply-add, one rounding a step.

// With registers of eight numbers a tile is 8 x 16 and lives in Z0 ... Z15, two registers a row; its right half comes from b + right. Rows of a are
// R8 apart; the mask says which columns of c are read and written.

#define LOADTILE16 \
	MOVQ k+0(FP), CX       \
	MOVQ a+8(FP), SI       \
	MOVQ ai+16(FP), R8     \
	MOVQ ar+24(FP), AX     \
	MOVQ b+32(FP), DI      \
	MOVQ br+40(FP), BX     \
	MOVQ right+48(FP), R12 \
	MOVQ c+56(FP), DX      \
	MOVQ cr+64(FP), R13    \
	MOVQ mask+72(FP), R9   \
	KMOVW R9, K1           \
	SHRQ $8, R9            \
	KMOVW R9, K2           \
	SHLQ $3, R8            \
	SHLQ $3, AX            \
	SHLQ $3, BX            \
	SHLQ $3, R12           \
	SHLQ $3, R13           \
	ADDQ DI, R12           \
	LEAQ (R8)(R8*2), R9    \
	LEAQ (R8)(R8*4), R10   \
	LEAQ (R9)(R8*4), R11   \
	CMPQ fresh+80(FP), $0

#define ZEROTILE16 \
	VPXORQ Z0, Z0, Z0 \
	VMOVAPD Z0, Z1    \
	VMOVAPD Z0, Z2    \
	VMOVAPD Z0, Z3    \
	VMOVAPD Z0, Z4    \
	VMOVAPD Z0, Z5    \
	VMOVAPD Z0, Z6    \
	VMOVAPD Z0, Z7    \
	VMOVAPD Z0, Z8    \
	VMOVAPD Z0, Z9    \
	VMOVAPD Z0, Z10   \
	VMOVAPD Z0, Z11   \
	VMOVAPD Z0, Z12   \
	VMOVAPD Z0, Z13   \
	VMOVAPD Z0, Z14   \
	VMOVAPD Z0, Z15

#define READROW16(left, right) \
	VMOVUPD.Z (R15), K1, left    \
	VMOVUPD.Z 64(R15), K2, right \
	ADDQ R13, R15

#define READTILE16 \
	MOVQ DX, R15         \
	READROW16(Z0, Z1)   \
	READROW16(Z2, Z3)   \
	READROW16(Z4, Z5)   \
	READROW16(Z6, Z7)   \
	READROW16(Z8, Z9)   \
	READROW16(Z10, Z11) \
	READROW16(Z12, Z13) \
	READROW16(Z14, Z15)

#define WRITEROW16(left, right) \
	VMOVUPD left, K1, (DX)    \
	VMOVUPD right, K2, 64(DX) \
	ADDQ R13, DX

#define WRITETILE16 \
	WRITEROW16(Z0, Z1)   \
	WRITEROW16(Z2, Z3)   \
	WRITEROW16(Z4, Z5)   \
	WRITEROW16(Z6, Z7)   \
	WRITEROW16(Z8, Z9)   \
	WRITEROW16(Z10, Z11) \
	WRITEROW16(Z12, Z13) \
	WRITEROW16(Z14, Z15) \
	VZEROUPPER           \
	RET

#define PRODUCT16(row, number, left, right) \
	VBROADCASTSD row, number       \
	VFMADD231PD Z16, number, left  \
	VFMADD231PD Z17, number, right

#define DISTANCE16(row, number, other, left, right) \
	VBROADCASTSD row, number      \
	VSUBPD Z16, number, other     \
	VSUBPD Z17, number, number    \
	VFMADD231PD other, other, left \
	VFMADD231PD number, number, right

#define NEXTTILE \
	ADDQ AX, SI  \
	ADDQ BX, DI  \
	ADDQ BX, R12 \
	DECQ CX

// With registers of four numbers a tile is 4 x 8 and lives in Y0 ... Y7, two registers a row.

#define LOADTILE8 \
	MOVQ k+0(FP), CX     \
	MOVQ a+8(FP), SI     \
	MOVQ ai+16(FP), R8   \
	MOVQ ar+24(FP), AX   \
	MOVQ b+32(FP), DI    \
	MOVQ br+40(FP), BX   \
	MOVQ c+48(FP), DX    \
	MOVQ cr+56(FP), R13  \
	SHLQ $3, R8          \
	SHLQ $3, AX          \
	SHLQ $3, BX          \
	SHLQ $3, R13         \
	LEAQ (R8)(R8*2), R9  \
	LEAQ (DX)(R13*1), R10 \
	LEAQ (DX)(R13*2), R11 \
	LEAQ (R10)(R13*2), R13 \
	XORQ R12, R12        \
	CMPQ fresh+64(FP), $0

#define ZERO8 \
	VXORPD Y0, Y0, Y0 \
	VXORPD Y1, Y1, Y1 \
	VXORPD Y2, Y2, Y2 \
	VXORPD Y3, Y3, Y3 \
	VXORPD Y4, Y4, Y4 \
	VXORPD Y5, Y5, Y5 \
	VXORPD Y6, Y6, Y6 \
	VXORPD Y7, Y7, Y7

#define READTILE8 \
	VMOVUPD (DX), Y0    \
	VMOVUPD 32(DX), Y1  \
	VMOVUPD (R10), Y2   \
	VMOVUPD 32(R10), Y3 \
	VMOVUPD (R11), Y4   \
	VMOVUPD 32(R11), Y5 \
	VMOVUPD (R13), Y6   \
	VMOVUPD 32(R13), Y7

#define WRITETILE8 \
	VMOVUPD Y0, (DX)    \
	VMOVUPD Y1, 32(DX)  \
	VMOVUPD Y2, (R10)   \
	VMOVUPD Y3, 32(R10) \
	VMOVUPD Y4, (R11)   \
	VMOVUPD Y5, 32(R11) \
	VMOVUPD Y6, (R13)   \
	VMOVUPD Y7, 32(R13) \
	VZEROUPPER          \
	RET

#define PRODUCT8(row, number, left, right) \
	VBROADCASTSD row, number     \
	VFMADD231PD Y8, number, left \
	VFMADD231PD Y9, number, right

#define DISTANCE8(row, number, other, left, right) \
	VBROADCASTSD row, number       \
	VSUBPD Y8, number, other       \
	VSUBPD Y9, number, number      \
	VFMADD231PD other, other, left \
	VFMADD231PD number, number, right

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
	ZERO8

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
	VFMADD231PD (strip), Y8, left    \
	VFMADD231PD 32(strip), Y8, right

#define ROWDIFFERENCES(strip, left, right) \
	VSUBPD (strip), Y8, Y9     \
	VSUBPD 32(strip), Y8, Y10  \
	VFMADD231PD Y9, Y9, left   \
	VFMADD231PD Y10, Y10, right

#define ROWABSOLUTES(strip, left, right) \
	VSUBPD (strip), Y8, Y9    \
	VSUBPD 32(strip), Y8, Y10 \
	VANDPD Y11, Y9, Y9        \
	VANDPD Y11, Y10, Y10      \
	VADDPD Y9, left, left     \
	VADDPD Y10, right, right

// func product8x16(k int, a *float64, ai, ar int, b *float64, br, right int, c *float64, cr, mask, fresh int)
TEXT ·product8x16(SB), NOSPLIT, $0-88
	LOADTILE16
	JNE productfresh
	READTILE16
	JMP productstep

productfresh:
	ZEROTILE16
	PCALIGN $64

productstep:
	VMOVUPD (DI), Z16
	VMOVUPD (R12), Z17
	PRODUCT16((SI), Z18, Z0, Z1)
	PRODUCT16((SI)(R8*1), Z19, Z2, Z3)
	PRODUCT16((SI)(R8*2), Z20, Z4, Z5)
	PRODUCT16((SI)(R9*1), Z21, Z6, Z7)
	PRODUCT16((SI)(R8*4), Z22, Z8, Z9)
	PRODUCT16((SI)(R10*1), Z23, Z10, Z11)
	PRODUCT16((SI)(R9*2), Z24, Z12, Z13)
	PRODUCT16((SI)(R11*1), Z25, Z14, Z15)
	NEXTTILE
	JNZ productstep
	WRITETILE16

// func distances8x16(k int, a *float64, ai, ar int, b *float64, br, right int, c *float64, cr, mask, fresh int)
TEXT ·distances8x16(SB), NOSPLIT, $0-88
	LOADTILE16
	JNE distancefresh
	READTILE16
	JMP distancestep

distancefresh:
	ZEROTILE16
	PCALIGN $64

distancestep:
	VMOVUPD (DI), Z16
	VMOVUPD (R12), Z17
	DISTANCE16((SI), Z18, Z26, Z0, Z1)
	DISTANCE16((SI)(R8*1), Z19, Z27, Z2, Z3)
	DISTANCE16((SI)(R8*2), Z20, Z28, Z4, Z5)
	DISTANCE16((SI)(R9*1), Z21, Z29, Z6, Z7)
	DISTANCE16((SI)(R8*4), Z22, Z30, Z8, Z9)
	DISTANCE16((SI)(R10*1), Z23, Z31, Z10, Z11)
	DISTANCE16((SI)(R9*2), Z24, Z26, Z12, Z13)
	DISTANCE16((SI)(R11*1), Z25, Z27, Z14, Z15)
	NEXTTILE
	JNZ distancestep
	WRITETILE16

// func product4x8(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr, fresh int)
TEXT ·product4x8(SB), NOSPLIT, $0-72
	LOADTILE8
	JNE productfresh8
	READTILE8
	JMP productstep8

productfresh8:
	ZERO8
	PCALIGN $64

productstep8:
	VMOVUPD (DI), Y8
	VMOVUPD 32(DI), Y9
	PRODUCT8((SI), Y10, Y0, Y1)
	PRODUCT8((SI)(R8*1), Y11, Y2, Y3)
	PRODUCT8((SI)(R8*2), Y12, Y4, Y5)
	PRODUCT8((SI)(R9*1), Y13, Y6, Y7)
	NEXTTILE
	JNZ productstep8
	WRITETILE8

// func distances4x8(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr, fresh int)
TEXT ·distances4x8(SB), NOSPLIT, $0-72
	LOADTILE8
	JNE distancefresh8
	READTILE8
	JMP distancestep8

distancefresh8:
	ZERO8
	PCALIGN $64

distancestep8:
	VMOVUPD (DI), Y8
	VMOVUPD 32(DI), Y9
	DISTANCE8((SI), Y10, Y14, Y0, Y1)
	DISTANCE8((SI)(R8*1), Y11, Y15, Y2, Y3)
	DISTANCE8((SI)(R8*2), Y12, Y14, Y4, Y5)
	DISTANCE8((SI)(R9*1), Y13, Y15, Y6, Y7)
	NEXTTILE
	JNZ distancestep8
	WRITETILE8

// func product1x32(k int, a, b *float64, strip int, c *float64)
TEXT ·product1x32(SB), NOSPLIT, $0-40
	LOADROW

productrowstep:
	VBROADCASTSD (SI), Y8
	ROWPRODUCTS(DI, Y0, Y1)
	ROWPRODUCTS(R8, Y2, Y3)
	ROWPRODUCTS(R9, Y4, Y5)
	ROWPRODUCTS(R10, Y6, Y7)
	NEXTROW
	JNZ productrowstep
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
