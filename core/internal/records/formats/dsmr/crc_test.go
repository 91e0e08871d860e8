package dsmr

import "testing"

// crc16 returns the check value of CRC-16/ARC, which DSMR prescribes.
func TestChecksum(t *testing.T) {
	if got := crc16([]byte("123456789")); got != 0xBB3D {
		t.Fatalf("%04X", got)
	}
	digits := []byte("123456789")
	if !isChecksumValid([]byte("/X\r\n!"), "") || isChecksumValid(digits, "0000") || !isChecksumValid(digits, "BB3D") {
		t.Fatal("a checksum is compared if there is one")
	}
	if !isChecksumValid([]byte("/X\n!"), "") {
		t.Fatal()
	}
}
