package svm

import "testing"

// Rows made together lose less to pages than rows made one by one, and small rows are not made ahead.
func TestTogether(t *testing.T) {
	for _, n := range []int{1, 20, 399, 512, 1000, 1023, 2500, 5000, 10000, 50001} {
		for _, size := range []int{4, 8} {
			rows, stride := together(n, size)
			if rows < 1 || rows > 16 || stride < n || stride*size%32 != 0 || (stride-n)*size >= 32 {
				t.Errorf("%d values of %d bytes: %d rows, stride %d", n, size, rows, stride)
			}
			if rows == 1 {
				continue
			}
			loss := func(k int) int { return ((k*stride*size+8191)/8192*8192 - k*stride*size) / k }
			if rows*stride*size <= 32768 || loss(rows) > loss(1) {
				t.Errorf("%d values of %d bytes: %d rows lose %d bytes each, one %d", n, size, rows, loss(rows), loss(1))
			}
		}
	}
	if rows, stride := together(5000, 4); rows != 9 || stride != 5000 { // 180000 of 22 x 8192 bytes
		t.Error(rows, stride)
	}
	if rows, _ := together(100, 8); rows != 1 {
		t.Error(rows)
	}
}

// Rows cut from one block do not overlap, however rows come and go, and stay within the limit.
func TestCacheKeepsRowsApart(t *testing.T) {
	const n = 2000
	var c *cache[float32]
	for fit, limit := range []int{7 * n, 40 * n, n} {
		c = newCache(n, limit, c)
		for step := range 400 {
			id, need := (step*step+fit)%97, n
			if step%5 == 4 {
				need = n / 2
			}
			row := c.get(id, need, func(dst []float32, from, _ int) {
				for t := range dst {
					dst[t] = float32(id*n + from + t)
				}
			})
			if len(row) < need || cap(row) > n || c.used > max(limit, 2*n) {
				t.Fatalf("step %d: %d values with room for %d, %d in use", step, len(row), cap(row), c.used)
			}
			for id, row := range c.rows {
				for t0, v := range row {
					if v != float32(id*n+t0) {
						t.Fatalf("step %d: row %d holds %v at %d", step, id, v, t0)
					}
				}
			}
		}
	}
}
