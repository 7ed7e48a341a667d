internal import StoreEngine

// Notes for developers. Release builds check nothing.
extension BoundQuery {
    /// Reports, once for each query shape, that an index would avoid reading many rows.
    @inline(__always)
    func reportScan(of statement: Statement, found: Int) {
        #if DEBUG
            let scans = statement.takeScans()
            guard scans.rows > found else { return }
            let line = session.store.scanReports.line(statement.sql, scanned: scans.rows, found: found, plan.advice)
            if let line { session.store.configuration.onNote(line) }
        #endif
    }

    /// Reports the same for a statement that has run and is cached.
    @inline(__always)
    func reportScan(of sql: SQL, found: Int) {
        #if DEBUG
            guard plan.advice.isUseful, let statement = try? session.connection.statement(sql) else { return }
            reportScan(of: statement, found: found)
            statement.finish()
        #endif
    }

    /// Reports, once for each property, that the query uses a property with an unsaved edit in memory. The query
    /// compares the stored value.
    @inline(__always)
    func reportUnsavedEdits() {
        #if DEBUG
            guard !plan.usedProperties.isEmpty, !session.isReader, !session.writing.isSaving else { return }
            session.reportUnsavedEdits(space, plan)
        #endif
    }
}

#if DEBUG
    extension Session {
        /// With more objects, the check would make debug builds slow.
        private static let mostObjects = 1000

        fileprivate func reportUnsavedEdits(_ space: ClassSpace, _ plan: QueryPlan) {
            let names = plan.usedProperties.map { space.map.properties[$0].name }
                .filter { !memory.notices.hasReported("\(space.map.name).\($0) unsaved") }
            guard !names.isEmpty, space.hierarchy.liveCount <= Session.mostObjects else { return }
            for identity in space.hierarchy.allIdentities where identity.classMap.derives(from: space.map) {
                for object in identity.changedObjects() {
                    let changed = identity.changes(of: object)
                    for name in names {
                        guard let ordinal = identity.classMap.ordinal(of: name), changed.contains(ordinal),
                            memory.notices.isFirst("\(space.map.name).\(name) unsaved")
                        else { continue }
                        store.configuration.onNote(
                            "A query uses \(space.map.name).\(name), which has an unsaved edit in "
                                + "\(identity.classMap.name) #\(object.rowID). The query sees only the stored "
                                + "value. Call save() first, or set the session's flushesBeforeQueries and query "
                                + "in a transaction")
                    }
                }
            }
        }
    }
#endif
