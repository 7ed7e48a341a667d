import Foundation
import TestSupport

@testable import PersistentObjects

/// A music shop in the schema of the Chinook sample: ids with other names, declared lengths, no STRICT, no
/// AUTOINCREMENT.
enum Chinook {
    static let sql = """
        CREATE TABLE [Artist] ([ArtistId] INTEGER NOT NULL, [Name] NVARCHAR(120),
            CONSTRAINT [PK_Artist] PRIMARY KEY ([ArtistId]));
        CREATE TABLE [Album] ([AlbumId] INTEGER NOT NULL, [Title] NVARCHAR(160) NOT NULL, [ArtistId] INTEGER NOT NULL,
            CONSTRAINT [PK_Album] PRIMARY KEY ([AlbumId]),
            FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE INDEX [IFK_AlbumArtistId] ON [Album] ([ArtistId]);
        CREATE TABLE [Track] ([TrackId] INTEGER NOT NULL, [Name] NVARCHAR(200) NOT NULL, [AlbumId] INTEGER,
            [Composer] NVARCHAR(220), [Milliseconds] INTEGER NOT NULL, [Bytes] INTEGER,
            [UnitPrice] NUMERIC(10,2) NOT NULL, CONSTRAINT [PK_Track] PRIMARY KEY ([TrackId]),
            FOREIGN KEY ([AlbumId]) REFERENCES [Album] ([AlbumId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE INDEX [IFK_TrackAlbumId] ON [Track] ([AlbumId]);
        CREATE TABLE [Employee] ([EmployeeId] INTEGER NOT NULL, [LastName] NVARCHAR(20) NOT NULL,
            [FirstName] NVARCHAR(20) NOT NULL, [ReportsTo] INTEGER, [BirthDate] DATETIME, [HireDate] DATETIME,
            CONSTRAINT [PK_Employee] PRIMARY KEY ([EmployeeId]),
            FOREIGN KEY ([ReportsTo]) REFERENCES [Employee] ([EmployeeId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [Playlist] ([PlaylistId] INTEGER NOT NULL, [Name] NVARCHAR(120),
            CONSTRAINT [PK_Playlist] PRIMARY KEY ([PlaylistId]));
        CREATE TABLE [PlaylistTrack] ([PlaylistId] INTEGER NOT NULL, [TrackId] INTEGER NOT NULL,
            CONSTRAINT [PK_PlaylistTrack] PRIMARY KEY ([PlaylistId], [TrackId]),
            FOREIGN KEY ([PlaylistId]) REFERENCES [Playlist] ([PlaylistId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
            FOREIGN KEY ([TrackId]) REFERENCES [Track] ([TrackId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE INDEX [IFK_PlaylistTrackTrackId] ON [PlaylistTrack] ([TrackId]);
        CREATE VIEW [TrackLength] AS SELECT TrackId, Name, Milliseconds / 1000.0 AS Seconds FROM Track;
        INSERT INTO Artist VALUES (1, 'AC/DC'), (2, 'Accept'), (3, 'Aerosmith'), (22, 'Led Zeppelin');
        INSERT INTO Album VALUES (1, 'For Those About To Rock We Salute You', 1), (2, 'Balls to the Wall', 2),
            (3, 'Restless and Wild', 2), (4, 'Let There Be Rock', 1), (5, 'Big Ones', 3);
        INSERT INTO Track VALUES
            (1, 'For Those About To Rock', 1, 'Angus Young, Malcolm Young', 343719, 11170334, 0.99),
            (2, 'Balls to the Wall', 2, NULL, 342562, 5510424, 0.99),
            (3, 'Fast As a Shark', 3, 'F. Baltes, S. Kaufman', 230619, 3990994, 0.99),
            (4, 'Restless and Wild', 3, 'F. Baltes', 252051, 4331779, 0.99),
            (15, 'Go Down', 4, 'AC/DC', 331180, 10847611, 0.99), (16, 'Dog Eat Dog', 4, 'AC/DC', 215196, 7032162, 1.99),
            (23, 'Walk On Water', 5, 'Steven Tyler', 295680, 9719579, 1);
        INSERT INTO Employee VALUES
            (1, 'Adams', 'Andrew', NULL, '1962-02-18 00:00:00', '2002-08-14 00:00:00'),
            (2, 'Edwards', 'Nancy', 1, '1958-12-08 00:00:00', '2002-05-01 00:00:00'),
            (3, 'Peacock', 'Jane', 2, '1973-08-29 00:00:00', '2002-04-01 00:00:00'),
            (6, 'Mitchell', 'Michael', 1, '1973-07-01', NULL);
        INSERT INTO Playlist VALUES (1, 'Music'), (2, 'Movies'), (5, '90''s Music');
        INSERT INTO PlaylistTrack VALUES (1, 1), (1, 2), (1, 3), (5, 3), (5, 23);
        """

    final class Artist: PersistentObject {
        override class var tableName: String { "Artist" }
        override class var origin: TableOrigin { .existing }
        @Column("Name") var name: String?
        @Inverse(\Album.artist) var albums: [Album]
    }

    final class Album: PersistentObject {
        override class var tableName: String { "Album" }
        override class var origin: TableOrigin { .existing }
        @Column("Title") var title = ""
        @Column("ArtistId") var artist: Artist? = nil
        @OnDelete(.cascade) @Inverse(\Track.album) var tracks: [Track] = []
    }

    final class Track: PersistentObject {
        override class var tableName: String { "Track" }
        override class var origin: TableOrigin { .existing }
        @Column("Name") var name = ""
        @Column("AlbumId") var album: Album? = nil
        @Column("Composer") var composer: String?
        @Column("Milliseconds") var milliseconds = 0
        @Column("Bytes") var bytes: Int?
        @Column("UnitPrice") var unitPrice = Decimal(99) / 100
        @OnDelete(.cascade) @Inverse(\PlaylistTrack.track) var entries: [PlaylistTrack] = []
    }

    final class Employee: PersistentObject {
        override class var tableName: String { "Employee" }
        override class var origin: TableOrigin { .existing }
        @Column("LastName") var lastName = ""
        @Column("FirstName") var firstName = ""
        @Column("ReportsTo") var boss: Employee? = nil
        @Column("BirthDate") var birthDate: Date?
        @Column("HireDate") var hireDate: Date?
        @Inverse(\Employee.boss) var team: [Employee]
    }

    final class Playlist: PersistentObject {
        override class var tableName: String { "Playlist" }
        override class var origin: TableOrigin { .existing }
        @Column("Name") var name: String?
        @OnDelete(.cascade) @Inverse(\PlaylistTrack.playlist) var entries: [PlaylistTrack] = []
    }

    final class PlaylistTrack: PersistentObject {
        override class var tableName: String { "PlaylistTrack" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\PlaylistTrack.playlist, \PlaylistTrack.track] }
        @Column("PlaylistId") var playlist: Playlist? = nil
        @Column("TrackId") var track: Track? = nil
    }

    final class TrackLength: PersistentObject {
        override class var tableName: String { "TrackLength" }
        override class var origin: TableOrigin { .existing(id: "TrackId") }
        override class var isReadOnly: Bool { true }
        @Column("Name") var name = ""
        @Column("Seconds") var seconds = 0.0
    }

    /// Opens a store on a file that contains the sample.
    static func with(_ body: (Session, TemporaryStore) throws -> Void) throws {
        try SampleFile.with(sql, body)
    }
}

/// A database that another program created.
enum SampleFile {
    static func with(_ sql: String, _ body: (Session, TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(sql)
        try file.open().withSession { try body($0, file) }
    }
}
