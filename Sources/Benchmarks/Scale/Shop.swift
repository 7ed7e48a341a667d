import PersistentObjects

/// The classes of a music shop, with references to few and to many objects, and chains of two references.
final class Artist: PersistentObject {
    var name = ""

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

final class Album: PersistentObject {
    var title = ""
    var artist: Artist?
}

final class Genre: PersistentObject {
    var name = ""
}

final class Medium: PersistentObject {
    var name = ""
}

/// A class with three references, one of which is to an object with another reference.
final class Track: PersistentObject {
    var title = ""
    var composer: String?
    var milliseconds = 0
    var price = 0.0
    var album: Album?
    var genre: Genre?
    var medium: Medium?
}

final class Employee: PersistentObject {
    var name = ""
    var manager: Employee?
}

final class Customer: PersistentObject {
    var name = ""
    @Indexed var country = ""
    var support: Employee?
}

final class Invoice: PersistentObject {
    @Indexed var billingCountry = ""
    @Indexed var total = 0.0
    var customer: Customer?
    @Inverse(\InvoiceLine.invoice) var lines: [InvoiceLine]
}

final class InvoiceLine: PersistentObject {
    var quantity = 0
    var invoice: Invoice?
    var track: Track?
}

/// A class with a reference to one of n/20 owners.
final class Ticket: PersistentObject {
    var number = 0
    var title = ""
    var owner: Owner?
}

final class Owner: PersistentObject {
    var name = ""
}

/// The contents of the shop's tables.
enum ShopData {
    static let countries = 24
    static let linesOfInvoice = 5

    static func invoices(_ rows: Int) -> Int { max(1, rows / 20) }

    /// Saves the objects: as many tickets as rows, and a tenth as many tracks.
    static func save(rows: Int, in session: Session) throws {
        try session.save(tickets(rows))
        let tracks = tracks(max(10, rows / 10))
        try session.save(tracks)
        try session.save(lines(rows: rows, of: tracks))
    }

    private static func tickets(_ rows: Int) -> [Ticket] {
        let owners = (0..<max(1, rows / 20)).map { number in
            let owner = Owner()
            owner.name = "Owner \(number)"
            return owner
        }
        return (0..<rows).map { number in
            let ticket = Ticket()
            (ticket.number, ticket.title) = (number, "Ticket \(number)")
            ticket.owner = owners[number * 7 % owners.count]
            return ticket
        }
    }

    private static func tracks(_ count: Int) -> [Track] {
        let artists = (0..<max(1, count / 20)).map { Artist("Artist \($0)") }
        let albums = (0..<max(1, count / 10)).map { number in
            let album = Album()
            (album.title, album.artist) = ("Album \(number)", artists[number % artists.count])
            return album
        }
        let genres = (0..<25).map { number in
            let genre = Genre()
            genre.name = "Genre \(number)"
            return genre
        }
        let media = (0..<5).map { number in
            let medium = Medium()
            medium.name = "Medium \(number)"
            return medium
        }
        return (0..<count).map { number in
            let track = Track()
            track.title = "Track number \(number)"
            track.composer = number % 3 == 0 ? nil : "Composer \(number % 50)"
            track.milliseconds = 180_000 + number
            track.price = 0.99
            (track.album, track.genre) = (albums[number / 10 % albums.count], genres[number % 25])
            track.medium = media[number % 5]
            return track
        }
    }

    private static func lines(rows: Int, of tracks: [Track]) -> [InvoiceLine] {
        let boss = Employee(), manager = Employee()
        (boss.name, manager.name, manager.manager) = ("Boss", "Manager", boss)
        let sellers = (0..<3).map { number in
            let seller = Employee()
            (seller.name, seller.manager) = ("Seller \(number)", manager)
            return seller
        }
        let customers = (0..<max(1, rows / 200)).map { number in
            let customer = Customer()
            (customer.name, customer.country) = ("Customer \(number)", "Country \(number % countries)")
            customer.support = sellers[number % 3]
            return customer
        }
        return (0..<invoices(rows)).flatMap { number in
            let invoice = Invoice()
            invoice.customer = customers[number % customers.count]
            invoice.billingCountry = "Country \(number % countries)"
            invoice.total = Double(number % 40) * 0.5
            return (0..<linesOfInvoice).map { place in
                let line = InvoiceLine()
                (line.quantity, line.invoice) = (1 + place, invoice)
                line.track = tracks[(number * 13 + place) % tracks.count]
                return line
            }
        }
    }
}
