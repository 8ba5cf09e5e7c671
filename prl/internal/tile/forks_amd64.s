//go:build !purego

#include "textflag.h"

// CLIMB goes from the places in Z31 to those behind them, right of the rungs in z that are below the keys in Z30.
#define CLIMB(z) \
	VPCMPUQ $1, Z30, z, K3  \
	VPADDQ Z31, Z31, Z31    \
	VPADDQ Z29, Z31, K3, Z31

// MARK sets the bit DX in part k of the word of a rank, whose offset goes to r.
#define MARK(k, r) \
	MOVQ (8*k)(SP), r           \
	ORL DX, (4*k)(R9)(r*1)

// func ranks8(n, d, size int, x *float64, rungs *uint64, words, missing *Flags)
//
// R12: rows that are left; SI: the next one; DX and Z26: its bit; DI: how many of the four times eight of 32 rows are done.
// Z0-Z7: rungs 0-63; Z8: the root; Z22: the key of a gap; Z23: 0; Z24: flags of rows without a value; Z25: 16; Z27: signs;
// Z28: the distances to eight rows; Z29: 1; Z30: keys; Z31: places among the rungs.
TEXT ·ranks8(SB), NOSPLIT, $64-56
	MOVQ n+0(FP), R12
	MOVQ d+8(FP), BX
	MOVQ size+16(FP), R13
	MOVQ x+24(FP), SI
	MOVQ rungs+32(FP), R8
	MOVQ words+40(FP), R9
	VMOVDQU64 (R8), Z0
	VMOVDQU64 64(R8), Z1
	VMOVDQU64 128(R8), Z2
	VMOVDQU64 192(R8), Z3
	VMOVDQU64 256(R8), Z4
	VMOVDQU64 320(R8), Z5
	VMOVDQU64 384(R8), Z6
	VMOVDQU64 448(R8), Z7
	VPBROADCASTQ 8(R8), Z8
	MOVQ $1, DX
	VPBROADCASTQ DX, Z29
	VMOVDQA64 Z29, Z26
	VPSLLQ $4, Z29, Z25
	VPSLLQ $63, Z29, Z27
	VPXORQ Z24, Z24, Z24
	VPXORQ Z23, Z23, Z23
	VPTERNLOGQ $255, Z22, Z22, Z22
	VPBROADCASTQ BX, Z28
	VPMOVZXBQ lanes<>(SB), Z9
	VPMULUDQ Z9, Z28, Z28
	SHLQ $3, BX

	// a rank r behind the search is r + size: its word begins 32 r behind the first one
	MOVQ R13, AX
	SHLQ $5, AX
	SUBQ AX, R9

rows:
	XORL DI, DI

eight:
	LEAQ 3(R12), CX
	SUBQ DI, CX
	SHRQ $2, CX
	MOVL $8, AX
	CMPQ CX, AX
	CMOVQHI AX, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	VPXORQ Z30, Z30, Z30
	VGATHERQPD (SI)(Z28*8), K1, Z30
	VADDPD Z23, Z30, Z30
	VCMPPD $3, Z30, Z30, K2
	VPSRAQ $63, Z30, Z31
	VPORQ Z27, Z31, Z31
	VPXORQ Z31, Z30, Z30
	VMOVDQA64 Z22, K2, Z30
	VPORQ Z26, Z24, K2, Z24
	VPCMPUQ $1, Z30, Z8, K3
	VPADDQ Z29, Z29, Z31
	VPADDQ Z29, Z31, K3, Z31
	VPERMQ Z0, Z31, Z9
	CLIMB(Z9)
	VPERMQ Z0, Z31, Z9
	CLIMB(Z9)
	VPERMQ Z1, Z31, Z9
	CLIMB(Z9)
	VMOVDQA64 Z31, Z9
	VPERMI2Q Z3, Z2, Z9
	CLIMB(Z9)
	VMOVDQA64 Z31, Z9
	VPERMI2Q Z5, Z4, Z9
	VMOVDQA64 Z31, Z10
	VPERMI2Q Z7, Z6, Z10
	VPTESTMQ Z25, Z31, K4
	VMOVDQA64 Z10, K4, Z9
	CLIMB(Z9)
	MOVQ R13, AX

deeper:
	SHRQ $1, AX
	CMPQ AX, $64
	JLT found
	KXNORW K0, K0, K1
	VPXORQ Z9, Z9, Z9
	VPGATHERQQ (R8)(Z31*8), K1, Z9
	CLIMB(Z9)
	JMP deeper

found:
	VPSLLQ $5, Z31, Z31
	VMOVDQU64 Z31, (SP)
	MARK(0, AX)
	MARK(1, CX)
	MARK(2, R10)
	MARK(3, R11)
	MARK(4, AX)
	MARK(5, CX)
	MARK(6, R10)
	MARK(7, R11)
	ROLL $8, DX
	VPROLD $8, Z26, Z26
	ADDQ BX, SI
	INCL DI
	CMPL DI, $4
	JNE eight
	ROLL $1, DX
	VPROLD $1, Z26, Z26
	IMUL3Q $28, BX, AX
	ADDQ AX, SI
	SUBQ $32, R12
	JGT rows
	MOVQ missing+48(FP), AX
	VPMOVQD Z24, Y9
	VMOVDQU Y9, (AX)
	VZEROUPPER
	RET

// func sumFlags(n int, passed, words *Flags, gaps *uint64, missing *Flags)
TEXT ·sumFlags(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ passed+8(FP), DI
	MOVQ words+16(FP), SI
	MOVQ gaps+24(FP), R8
	MOVQ missing+32(FP), AX
	VMOVDQU (AX), Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2

word:
	VPOR (SI), Y1, Y1
	VMOVDQU Y2, (SI)
	VPBROADCASTQ (R8), Y3
	VPAND Y0, Y3, Y3
	VPOR Y1, Y3, Y3
	VMOVDQU Y3, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $8, R8
	DECQ CX
	JNE word
	VZEROUPPER
	RET

// EXCHANGE swaps the bits of mask in v with those bits of u that are higher by s.
#define EXCHANGE(s, mask, u, v) \
	VPSRLQ $s, u, Y8   \
	VPXOR v, Y8, Y8    \
	VPAND mask, Y8, Y8 \
	VPXOR v, Y8, v     \
	VPSLLQ $s, Y8, Y8  \
	VPXOR u, Y8, u

// func exitFlags(n int, forks *Fork, passed *Flags, reach *[2 * MostExits]Flags, numbers *[FlagRows]uint8)
TEXT ·exitFlags(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ forks+8(FP), SI
	MOVQ passed+16(FP), R8
	MOVQ reach+24(FP), R9
	MOVQ numbers+32(FP), DI
	BSRQ CX, R10
	MOVQ CX, R11
	LEAQ 8192(R9), AX
	PCALIGN $32

fork:
	MOVLQZX (SI), BX
	MOVWLZX 4(SI), DX
	MOVWLZX 6(SI), R12
	SHLQ $5, BX
	SHLQ $5, DX
	SHLQ $5, R12
	VMOVDQU (AX), Y0
	VPAND (R8)(BX*1), Y0, Y1
	VPXOR Y0, Y1, Y0
	VMOVDQU Y0, (R9)(R12*1)
	VMOVDQU Y1, (R9)(DX*1)
	ADDQ $32, AX
	ADDQ $8, SI
	DECQ CX
	JNE fork

	// The bits of the numbers come to where the numbers will stand. R10: the bit; SI: the exits below those with the bit; AX: these exits.
	VPXOR Y0, Y0, Y0
	VMOVDQU Y0, 32(DI)
	VMOVDQU Y0, 64(DI)
	VMOVDQU Y0, 96(DI)
	VMOVDQU Y0, 128(DI)
	VMOVDQU Y0, 160(DI)
	VMOVDQU Y0, 192(DI)
	VMOVDQU Y0, 224(DI)
	MOVQ R10, CX
	MOVQ $1, DX
	SHLQ CX, DX
	MOVQ R11, CX
	SUBQ DX, CX
	INCQ CX

half:
	MOVQ DX, AX
	SHLQ $5, AX
	ADDQ R9, AX
	MOVQ R9, SI
	VPXOR Y0, Y0, Y0

exit:
	VMOVDQU (AX), Y1
	VPOR Y1, Y0, Y0
	VPOR (SI), Y1, Y1
	VMOVDQU Y1, (SI)
	ADDQ $32, AX
	ADDQ $32, SI
	DECQ CX
	JNE exit
	MOVQ R10, AX
	SHLQ $5, AX
	VMOVDQU Y0, (DI)(AX*1)
	DECQ R10
	SHRQ $1, DX
	MOVQ DX, CX
	JNE half

	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU 64(DI), Y2
	VMOVDQU 96(DI), Y3
	VMOVDQU 128(DI), Y4
	VMOVDQU 160(DI), Y5
	VMOVDQU 192(DI), Y6
	VMOVDQU 224(DI), Y7
	VPBROADCASTQ nibbles<>(SB), Y9
	VPBROADCASTQ nibbles<>+8(SB), Y10
	VPBROADCASTQ nibbles<>+16(SB), Y11
	EXCHANGE(4, Y9, Y0, Y4)
	EXCHANGE(4, Y9, Y1, Y5)
	EXCHANGE(4, Y9, Y2, Y6)
	EXCHANGE(4, Y9, Y3, Y7)
	EXCHANGE(2, Y10, Y0, Y2)
	EXCHANGE(2, Y10, Y1, Y3)
	EXCHANGE(2, Y10, Y4, Y6)
	EXCHANGE(2, Y10, Y5, Y7)
	EXCHANGE(1, Y11, Y0, Y1)
	EXCHANGE(1, Y11, Y2, Y3)
	EXCHANGE(1, Y11, Y4, Y5)
	EXCHANGE(1, Y11, Y6, Y7)
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VMOVDQU Y4, 128(DI)
	VMOVDQU Y5, 160(DI)
	VMOVDQU Y6, 192(DI)
	VMOVDQU Y7, 224(DI)
	VZEROUPPER
	RET

DATA lanes<>+0(SB)/8, $0x1c1814100c080400
GLOBL lanes<>(SB), RODATA|NOPTR, $8

DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+8(SB)/8, $0x3333333333333333
DATA nibbles<>+16(SB)/8, $0x5555555555555555
GLOBL nibbles<>(SB), RODATA|NOPTR, $24
