package pluginhost

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"io"
	"runtime"
)

const thisPlatform = runtime.GOOS + "/" + runtime.GOARCH

// platformOf returns the platform of a binary in Go's notation, such as "linux/arm64". It returns "" for a file that is not a binary or
// whose processor is not listed here. The kernel then decides whether it can run.
func platformOf(f io.ReaderAt) string {
	if b, err := elf.NewFile(f); err == nil {
		os := "linux" // Go marks the binaries of other systems
		switch b.OSABI {
		case elf.ELFOSABI_FREEBSD:
			os = "freebsd"
		case elf.ELFOSABI_NETBSD:
			os = "netbsd"
		case elf.ELFOSABI_OPENBSD:
			os = "openbsd"
		case elf.ELFOSABI_SOLARIS:
			os = "solaris"
		}
		return platform(os, map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64", elf.EM_386: "386", elf.EM_ARM: "arm",
			elf.EM_RISCV: "riscv64", elf.EM_LOONGARCH: "loong64", elf.EM_S390: "s390x"}[b.Machine])
	}
	if b, err := macho.NewFile(f); err == nil {
		return platform("darwin", map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[b.Cpu])
	}
	if b, err := pe.NewFile(f); err == nil {
		return platform("windows", map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64",
			pe.IMAGE_FILE_MACHINE_I386: "386"}[b.Machine])
	}
	return ""
}

func platform(os, processor string) string {
	if processor == "" {
		return ""
	}
	return os + "/" + processor
}
