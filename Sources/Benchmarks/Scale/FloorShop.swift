/// A hand-written object with an id and a name.
final class FloorNamed {
    let id: Int64
    let name: String

    init(_ row: FloorStatement) { (id, name) = (row.integer(0), row.text(1)) }

    static func all(_ statement: FloorStatement) throws -> [Int64: FloorNamed] {
        Dictionary(uniqueKeysWithValues: try statement.rows(FloorNamed.init).map { ($0.id, $0) })
    }
}

final class FloorTicket {
    let id: Int64
    let number: Int
    let title: String
    let owner: FloorNamed?

    init(_ row: FloorStatement, _ owners: [Int64: FloorNamed]) {
        (id, number, title) = (row.integer(0), Int(row.integer(1)), row.text(2))
        owner = owners[row.integer(3)]
    }
}

final class FloorAlbum {
    let id: Int64
    let title: String
    let artist: FloorNamed?

    init(_ row: FloorStatement, _ artists: [Int64: FloorNamed]) {
        (id, title, artist) = (row.integer(0), row.text(1), artists[row.integer(2)])
    }
}

final class FloorTrack {
    let id: Int64
    let title: String
    let composer: String?
    let milliseconds: Int
    let price: Double
    let album: FloorAlbum?
    let genre, medium: FloorNamed?

    init(
        _ row: FloorStatement, _ albums: [Int64: FloorAlbum], _ genres: [Int64: FloorNamed],
        _ media: [Int64: FloorNamed]
    ) {
        (id, title, composer) = (row.integer(0), row.text(1), row.optionalText(2))
        (milliseconds, price, album) = (Int(row.integer(3)), row.real(4), albums[row.integer(5)])
        (genre, medium) = (genres[row.integer(6)], media[row.integer(7)])
    }
}

/// The data of an invoice line that is needed to print it.
struct FloorLine {
    let quantity: Int
    let title: String
    let milliseconds: Int
}

/// The prepared statements of the shop.
struct FloorShop {
    private let artists, albums, genres, media, allTracks, linesOfInvoice: FloorStatement

    init(_ database: FloorDatabase) throws {
        artists = try database.prepare("SELECT id, name FROM artist")
        albums = try database.prepare("SELECT id, title, artist_id FROM album")
        genres = try database.prepare("SELECT id, name FROM genre")
        media = try database.prepare("SELECT id, name FROM medium")
        allTracks = try database.prepare(
            "SELECT id, title, composer, milliseconds, price, album_id, genre_id, medium_id FROM track")
        linesOfInvoice = try database.prepare(
            """
            SELECT quantity, title, milliseconds FROM invoice JOIN invoice_line ON invoice_id = invoice.id
            JOIN track ON track_id = track.id WHERE invoice.id = ?
            """)
    }

    func tracks() throws -> [FloorTrack] {
        let artists = try FloorNamed.all(artists), genres = try FloorNamed.all(genres),
            media = try FloorNamed.all(media)
        let rows = try albums.rows { FloorAlbum($0, artists) }
        let albums = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        return try allTracks.rows { FloorTrack($0, albums, genres, media) }
    }

    func lines(ofInvoice id: Int64) throws -> [FloorLine] {
        try linesOfInvoice.bind(id, at: 1)
        return try linesOfInvoice.rows {
            FloorLine(quantity: Int($0.integer(0)), title: $0.text(1), milliseconds: Int($0.integer(2)))
        }
    }
}

extension FloorStatement {
    /// All rows, each converted by `make`.
    @inline(__always)
    func rows<Row>(_ make: (FloorStatement) -> Row) throws -> [Row] {
        defer { reset() }
        var rows: [Row] = []
        while try step() { rows.append(make(self)) }
        return rows
    }
}
