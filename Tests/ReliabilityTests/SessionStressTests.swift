import ModelRuns
import TestSupport
import Testing

/// A short version of `endurance stress`: defects of threads may take several runs to appear.
struct SessionStressTests {
    @Test func `tasks that read and write lose nothing if they are cancelled and their store is closed`() async {
        await #expect(throws: Never.self) {
            try await ModelRuns.stress(rounds: Scale.of(40), operations: Scale.of(300))
        }
    }

    @Test func `tasks that fetch and release the same rows have one object per row`() async {
        await #expect(throws: Never.self) { try await Task { try ModelRuns.churn(operations: Scale.of(50_000)) }.value }
    }
}
