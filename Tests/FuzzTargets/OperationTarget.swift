import ModelRuns

/// Operations on objects, compared with a model of plain values.
enum OperationTarget {
    static func run(_ bytes: [UInt8]) throws {
        do { try ModelRuns.run(bytes) } catch { throw FuzzFinding("\(error)") }
    }
}
