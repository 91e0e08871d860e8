module example.org/mykey

go 1.26.0
