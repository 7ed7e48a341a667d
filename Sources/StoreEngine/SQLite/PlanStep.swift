/// One step of how a statement is run, as the engine describes it.
package struct PlanStep: Sendable {
    /// How many steps it is a part of, and itself.
    package let depth: Int
    /// What it does, in the engine's words.
    package let text: String

    /// Whether it reads every row of a table.
    package func readsAll(of table: String) -> Bool { text == "SCAN \(table)" }
}

extension Statement {
    /// The steps that a bound statement gives which asks for an explanation (`Dialect.explanation`).
    package func planSteps() throws(StoreError) -> [PlanStep] {
        var steps: [PlanStep] = []
        var depths: [Int64: Int] = [:]
        while try step() {
            let depth = (depths[integer(1)] ?? 0) + 1
            depths[integer(0)] = depth
            steps.append(PlanStep(depth: depth, text: try text(3)))
        }
        return steps
    }
}
