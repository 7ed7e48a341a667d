import PersistentObjects

/// The cost of references: objects with shared references, and one object with all objects that it refers to.
func referenceWorks() -> [Comparison] {
    [
        Comparison(
            "fetch all, a reference to one of n/20", .references, .ratio(1.6), on: .shop,
            ours: { trial in
                try trial.inSession(using: Ticket.self, Owner.self) { _ in
                    try withAll({ try Ticket.all() }) { $0.owner?.name.utf8.count ?? 0 }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let owners = try database.prepare("SELECT id, name FROM owner")
                    let tickets = try database.prepare("SELECT id, number, title, owner_id FROM ticket")
                    return try withAll(
                        {
                            let byID = try FloorNamed.all(owners)
                            return try tickets.rows { FloorTicket($0, byID) }
                        }, { $0.owner?.name.utf8.count ?? 0 })
                }
            }),
        Comparison(
            "fetch all, four references to few", .references, .ratio(1.6), on: .shop, operations: { $0 / 10 },
            ours: { trial in
                try trial.inSession(using: Track.self, Album.self) { _ in
                    try withAll({ try Track.all() }) { $0.album?.artist?.name.utf8.count ?? 0 }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let shop = try FloorShop(database)
                    return try withAll({ try shop.tracks() }) { $0.album?.artist?.name.utf8.count ?? 0 }
                }
            }),
        Comparison(
            "one invoice, its lines, their tracks", .references, .ratio(4), on: .shop, operations: { _ in 100 },
            ours: { trial in
                let ids = invoiceIDs(trial)
                return try trial.inSession(using: Invoice.self, Track.self) { _ in
                    try Measurement.timing {
                        var sum = 0
                        for id in ids {
                            guard let invoice = try Invoice.find(id) else { continue }
                            for line in invoice.lines { sum += line.quantity + (line.track?.milliseconds ?? 0) }
                        }
                        return sum
                    }
                }
            },
            floor: { trial in
                let ids = invoiceIDs(trial)
                return try trial.onDatabase { database in
                    let shop = try FloorShop(database)
                    return try Measurement.timing {
                        var sum = 0
                        for id in ids {
                            for line in try shop.lines(ofInvoice: id) { sum += line.quantity + line.milliseconds }
                        }
                        return sum
                    }
                }
            }),
    ]
}

/// Fetches and touches all objects. Releasing them is not timed.
func withAll<T: AnyObject>(_ fetch: () throws -> [T], _ touch: (T) -> Int) throws -> Measurement {
    var held: [T] = []
    defer { withExtendedLifetime(held) {} }
    return try Measurement.timing {
        held = try fetch()
        return held.reduce(0) { $0 + touch($1) }
    }
}

/// The ids of a hundred invoices.
private func invoiceIDs(_ trial: Trial) -> [Int64] {
    let count = Int64(ShopData.invoices(trial.rows))
    return (0..<100).map { 1 + $0 * 37 % count }
}
