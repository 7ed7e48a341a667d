#if PostgreSQL
    import StoreEngine
    import Testing

    @testable import PostgresEngine

    @Suite struct PostgresTextTests {
        @Test("placeholders are converted to the server's numbered placeholders")
        func placeholders() {
            let text = PostgresText("SELECT ?, ?3, ? FROM t WHERE a = ?1")
            #expect(text.sql == "SELECT $1, $3, $4 FROM t WHERE a = $1")
            #expect(text.argumentCount == 4)
        }

        @Test("a placeholder whose number the protocol cannot count is left for the server to reject")
        func numbersBeyondTheProtocol() {
            let text = PostgresText("SELECT ?0, ?65536, ?99999999999999999999, ?65535")
            #expect(text.sql == "SELECT ?0, ?65536, ?99999999999999999999, $65535")
            #expect(text.argumentCount == 65_535)
        }

        @Test(
            "a question mark in a string, a name or a comment is not a placeholder",
            arguments: [
                "SELECT '?', 'it''s ?'", "SELECT E'\\'?'", "SELECT \"a?\"\"?\"", "SELECT 1 -- ?",
                "SELECT /* ? /* ? */ ? */ 1",
                "SELECT $$ ? $$", "SELECT $a$ ? $$ ? $a$", "SELECT 'no end ?", "SELECT /* no end ?", "SELECT $a$ ?",
            ])
        func noPlaceholders(_ sql: String) {
            let text = PostgresText(sql)
            #expect(text.argumentCount == 0)
            #expect(text.sql == sql)
        }

        @Test("a call of a function of the library becomes its first argument, and other arguments are not sent")
        func calls() {
            let names: Set = ["po_seal", "po_hash"]
            let update = PostgresText(
                "UPDATE t SET a = \"po_seal\"(?1, 'Class\tit''s (1)', 3, ?3) WHERE id = ?2", functions: names)
            #expect(update.sql == "UPDATE t SET a = $1 WHERE id = $2")
            #expect(update.argumentCount == 3 && update.sentCount == 2)
            let arguments = update.calls[0]?.arguments.map { "\($0)" }
            #expect(
                arguments == [
                    "\(PostgresCall.Argument.value(.text("Class\tit's (1)")))",
                    "\(PostgresCall.Argument.value(.integer(3)))", "\(PostgresCall.Argument.placeholder(3))",
                ])
            let list = PostgresText(
                "a = ? AND h = ANY (\"po_hash\"(?, 'x')/*tagged list*/) AND b = ?", functions: names)
            #expect(list.sql == "a = $1 AND h = ANY ($2/*tagged list*/) AND b = $3")
            #expect(list.calls.keys.sorted() == [1] && list.lists.keys.sorted() == [1])
            // Other text with the name is unchanged.
            for sql in ["SELECT '\"po_hash\"(?)', \"po_hash\"(a, 'x'), \"po_hash\"", "SELECT \"po_seal\"(?, a, 1, 2"] {
                #expect(PostgresText(sql, functions: names).calls.isEmpty)
            }
        }

        @Test("a doubled question mark becomes an operator")
        func operators() {
            let text = PostgresText("SELECT a ?? ? FROM t WHERE b ??| ?")
            #expect(text.sql == "SELECT a ? $1 FROM t WHERE b ?| $2")
        }

        @Test("a comment after a placeholder marks a list argument")
        func lists() {
            let text = PostgresText("a = ANY (?/*list*/) OR b = ANY (?/*tagged list*/) OR c = ? /*list*/")
            #expect(text.argumentCount == 3)
            guard case .plain? = text.lists[0], case .tagged? = text.lists[1] else {
                Issue.record("\(text.lists)")
                return
            }
            #expect(text.lists[2] == nil)
        }

        @Test(
            "only statements that cannot write count as read-only",
            arguments: [
                ("SELECT 1", true), ("  -- why\n SELECT 1", true), ("VALUES (1)", true),
                ("WITH a AS (SELECT 1) SELECT * FROM a", true),
                ("WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a", false), ("SELECT 1 INTO t", false),
                ("INSERT INTO t VALUES (1)", false), ("EXPLAIN SELECT 1", true),
                ("EXPLAIN ANALYZE DELETE FROM t", false),
                ("SELECT * FROM t FOR UPDATE", false), ("SELECT 'delete', \"update\" FROM t", true),
                ("CREATE TABLE t (a int)", false),
                ("", false),
            ])
        func reading(_ sql: String, _ isReading: Bool) {
            #expect(PostgresText(sql).isReadOnly == isReading)
        }
    }
#endif
