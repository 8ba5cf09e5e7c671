//go:build !purego

#include "textflag.h"

// func thin16(n int, at *int32, values, table *float64, sums *[Thin]float64)
//
// Y0 ... Y3 hold the sums.
TEXT ·thin16(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ at+8(FP), SI
	MOVQ values+16(FP), DX
	MOVQ table+24(FP), DI
	MOVQ sums+32(FP), R8
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	XORQ BX, BX
	PCALIGN $32

thinstep:
	MOVLQSX (SI)(BX*4), AX
	SHLQ $7, AX
	VBROADCASTSD (DX)(BX*8), Y4
	VFMADD231PD (DI)(AX*1), Y4, Y0
	VFMADD231PD 32(DI)(AX*1), Y4, Y1
	VFMADD231PD 64(DI)(AX*1), Y4, Y2
	VFMADD231PD 96(DI)(AX*1), Y4, Y3
	INCQ BX
	CMPQ BX, CX
	JLT thinstep

	VMOVUPD Y0, (R8)
	VMOVUPD Y1, 32(R8)
	VMOVUPD Y2, 64(R8)
	VMOVUPD Y3, 96(R8)
	VZEROUPPER
	RET
