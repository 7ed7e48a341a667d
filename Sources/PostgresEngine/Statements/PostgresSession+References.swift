internal import StoreEngine

extension PostgresSession {
    /// Checks the deferred references of the open transaction; if one dangles, they stay deferred.
    func checkReferences() throws(StoreError) {
        do throws(StoreError) {
            try runTexts([
                "SAVEPOINT po_keys", "SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED", "RELEASE po_keys",
            ])
        } catch {
            _ = try? runTexts(["ROLLBACK TO po_keys", "RELEASE po_keys"])
            throw error
        }
    }
}
