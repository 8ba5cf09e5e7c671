//go:build !purego

#include "textflag.h"

// ROW8 meets eight numbers of a row with those of x in Y12 and Y13 (sums low, high) and adds them times by to those of y in Y14 and Y15.
#define ROW8(row, x0, x1, by, low, high) \
	VMOVUPD (row)(BX*8), Y12   \
	VMOVUPD 32(row)(BX*8), Y13 \
	VFMADD231PD x0, Y12, low   \
	VFMADD231PD x1, Y13, high  \
	VFMADD231PD Y12, by, Y14   \
	VFMADD231PD Y13, by, Y15

// func four8(n int, a *float64, stride int, x, y *float64, by *[4]float64, sums *[4 * Wide]float64)
//
// Y0 ... Y7 hold the sums of four rows, two registers a row, Y8 ... Y11 what the rows are multiplied with.
TEXT ·four8(SB), NOSPLIT, $0-56
	MOVQ n+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ stride+16(FP), AX
	MOVQ x+24(FP), DI
	MOVQ y+32(FP), DX
	MOVQ by+40(FP), R8
	MOVQ sums+48(FP), R12
	VBROADCASTSD (R8), Y8
	VBROADCASTSD 8(R8), Y9
	VBROADCASTSD 16(R8), Y10
	VBROADCASTSD 24(R8), Y11
	LEAQ (SI)(AX*8), R9
	LEAQ (R9)(AX*8), R10
	LEAQ (R10)(AX*8), R11
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	XORQ BX, BX
	PCALIGN $64

fourstep:
	VMOVUPD (DX)(BX*8), Y14
	VMOVUPD 32(DX)(BX*8), Y15
	ROW8(SI, (DI)(BX*8), 32(DI)(BX*8), Y8, Y0, Y1)
	ROW8(R9, (DI)(BX*8), 32(DI)(BX*8), Y9, Y2, Y3)
	ROW8(R10, (DI)(BX*8), 32(DI)(BX*8), Y10, Y4, Y5)
	ROW8(R11, (DI)(BX*8), 32(DI)(BX*8), Y11, Y6, Y7)
	VMOVUPD Y14, (DX)(BX*8)
	VMOVUPD Y15, 32(DX)(BX*8)
	ADDQ $8, BX
	CMPQ BX, CX
	JLT fourstep

	VMOVUPD Y0, (R12)
	VMOVUPD Y1, 32(R12)
	VMOVUPD Y2, 64(R12)
	VMOVUPD Y3, 96(R12)
	VMOVUPD Y4, 128(R12)
	VMOVUPD Y5, 160(R12)
	VMOVUPD Y6, 192(R12)
	VMOVUPD Y7, 224(R12)
	VZEROUPPER
	RET
