/// Resident memory while all objects are held, measured in a separate child process, so that earlier work does not
/// affect it.
struct MemoryHeld: Work {
    let name = "memory per object, all loaded"
    let budget = Budget.bytesEach(400)

    func expected(rows: Int) -> Tally? { Tally(touching: PlayerData.numbers(rows)) }

    func ours(_ trial: Trial) throws -> Measurement {
        try MemoryChild(side: .ours, trial: trial).spawn()
    }

    func floor(_ trial: Trial) throws -> Measurement {
        try MemoryChild(side: .floor, trial: trial).spawn()
    }
}

/// Resident memory of objects with few and with many properties.
func memoryWorks() -> [Comparison] {
    MemoryShape.allCases.map { shape in
        Comparison(
            "memory per object of \(shape.rawValue) properties", .shapes, .bytesRatio(1.6), on: .widths,
            ours: { try MemoryChild(side: .ours, trial: $0, shape: shape).spawn() },
            floor: { try MemoryChild(side: .floor, trial: $0, shape: shape).spawn() })
    }
}
