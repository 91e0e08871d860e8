package dsmr

import "testing"

// crc16 returns the check value of CRC-16/ARC, which DSMR prescribes.
func TestChecksum(t *testing.T) {
	if got := crc16([]byte("123456789")); got != 0xBB3D {
		t.Fatalf("%04X", got)
	}
	if !checked([]byte("/X\r\n!"), "") || checked([]byte("123456789"), "0000") || !checked([]byte("123456789"), "BB3D") {
		t.Fatal("a checksum is compared if there is one")
	}
	if !checked([]byte("/X\n!"), "") {
		t.Fatal()
	}
}
