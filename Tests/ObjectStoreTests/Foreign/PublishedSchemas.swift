import Foundation

@testable import PersistentObjects

/// Databases in published schemas of other projects, reduced to the parts that the classes here use.
enum Sakila {
    /// Each table has triggers that stamp its rows, and keys declared `INT`, which are not rowids.
    static let sql = """
        CREATE TABLE language (language_id SMALLINT NOT NULL, name CHAR(20) NOT NULL, last_update TIMESTAMP NOT NULL,
            PRIMARY KEY (language_id));
        CREATE TABLE film (film_id int NOT NULL, title VARCHAR(255) NOT NULL, description BLOB SUB_TYPE TEXT DEFAULT NULL,
            release_year VARCHAR(4) DEFAULT NULL, language_id SMALLINT NOT NULL, rental_rate DECIMAL(4,2) DEFAULT 4.99 NOT NULL,
            length SMALLINT DEFAULT NULL, rating VARCHAR(10) DEFAULT 'G', last_update TIMESTAMP NOT NULL, PRIMARY KEY (film_id),
            CONSTRAINT CHECK_special_rating CHECK (rating in ('G','PG','PG-13','R','NC-17')),
            CONSTRAINT fk_film_language FOREIGN KEY (language_id) REFERENCES language (language_id));
        CREATE INDEX idx_fk_language_id ON film (language_id);
        CREATE TABLE actor (actor_id numeric NOT NULL, first_name VARCHAR(45) NOT NULL, last_name VARCHAR(45) NOT NULL,
            last_update TIMESTAMP NOT NULL, PRIMARY KEY (actor_id));
        CREATE TABLE film_actor (actor_id INT NOT NULL, film_id INT NOT NULL, last_update TIMESTAMP NOT NULL,
            PRIMARY KEY (actor_id,film_id),
            CONSTRAINT fk_film_actor_actor FOREIGN KEY (actor_id) REFERENCES actor (actor_id) ON DELETE NO ACTION,
            CONSTRAINT fk_film_actor_film FOREIGN KEY (film_id) REFERENCES film (film_id) ON DELETE NO ACTION);
        """
        + ["language", "film", "actor", "film_actor"].map { table in
            """
            CREATE TRIGGER \(table)_trigger_ai AFTER INSERT ON \(table) BEGIN
                UPDATE \(table) SET last_update = DATETIME('NOW') WHERE rowid = new.rowid; END;
            CREATE TRIGGER \(table)_trigger_au AFTER UPDATE ON \(table) BEGIN
                UPDATE \(table) SET last_update = DATETIME('NOW') WHERE rowid = new.rowid; END;
            """
        }.joined() + """
            CREATE VIEW film_list AS SELECT film.film_id AS FID, film.title AS title, language.name AS language,
                film.rental_rate AS price FROM film JOIN language ON film.language_id = language.language_id;
            INSERT INTO language VALUES (1, 'English', '2006-02-15 05:02:19.000'), (2, 'Italian', '2006-02-15 05:02:19.000');
            INSERT INTO film (film_id, title, release_year, language_id, rental_rate, length, rating, last_update) VALUES
                (1, 'ACADEMY DINOSAUR', '2006', 1, 0.99, 86, 'PG', '2006-02-15 05:03:42.000'),
                (2, 'ACE GOLDFINGER', '2006', 1, 4.99, 48, 'G', '2006-02-15 05:03:42.000'),
                (3, 'ADAPTATION HOLES', '2006', 2, 2.99, NULL, 'NC-17', '2006-02-15 05:03:42.000');
            INSERT INTO actor VALUES (1, 'PENELOPE', 'GUINESS', '2006-02-15 04:34:33.000'), (2, 'NICK', 'WAHLBERG', '2006-02-15');
            INSERT INTO film_actor VALUES (1, 1, '2006-02-15'), (1, 2, '2006-02-15'), (2, 3, '2006-02-15');
            """

    final class Language: PersistentObject {
        override class var tableName: String { "language" }
        override class var origin: TableOrigin { .existing(id: "language_id") }
        var name = ""
        @Column("last_update") var lastUpdate = Date()
        @Inverse(\Film.language) var films: [Film]
    }
    final class Film: PersistentObject {
        override class var tableName: String { "film" }
        override class var origin: TableOrigin { .existing(id: "film_id") }
        var title = ""
        var language: Language?
        var rentalRate = 0.0
        var length: Int?
        var rating: String?
        var lastUpdate = Date()
        @Inverse(\Role.film) var roles: [Role]
    }
    final class Actor: PersistentObject {
        override class var tableName: String { "actor" }
        override class var origin: TableOrigin { .existing(id: "actor_id") }
        var firstName = ""
        var lastName = ""
        var lastUpdate = Date()
        @Inverse(\Role.actor) var roles: [Role]
    }
    final class Role: PersistentObject {
        override class var tableName: String { "film_actor" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Role.actor, \Role.film] }
        var actor: Actor?
        var film: Film?
        var lastUpdate = Date()
    }
    final class Listed: PersistentObject {
        override class var tableName: String { "film_list" }
        override class var origin: TableOrigin { .existing(id: "FID") }
        override class var isReadOnly: Bool { true }
        var title = ""
        var language = ""
        var price = 0.0
    }
}

/// An Anki collection: ids that are timestamps, names in camel case, strings in a column declared `integer`.
enum Anki {
    static let sql = """
        CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
            ver integer not null, models text not null);
        CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
            usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null,
            flags integer not null, data text not null);
        CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
            mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null,
            ivl integer not null, factor integer not null, reps integer not null, lapses integer not null);
        CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
        CREATE INDEX ix_cards_nid on cards (nid);
        INSERT INTO col VALUES (1, 1411124400, 1425279151694, 1425279151690, 11, '{}');
        INSERT INTO notes VALUES (1700000000001, 'a', 1, 1700000000, -1, ' x ', 'front' || char(31) || 'back', 'front', 7, 0, ''),
            (1700000000002, 'b', 1, 1700000060, -1, '', '2' || char(31) || 'two', '2', 9, 0, '');
        INSERT INTO cards VALUES (1700000000011, 1700000000001, 1, 0, 1700000000, -1, 0, 0, 1, 0, 2500, 3, 0),
            (1700000000012, 1700000000002, 1, 0, 1700000000, -1, 0, 0, 2, 4, 2500, 5, 1);
        """

    final class Note: PersistentObject {
        override class var tableName: String { "notes" }
        override class var origin: TableOrigin { .existing }
        override class var columnNaming: ColumnNaming { .verbatim }
        override class var identity: Identity { .given }
        var guid = ""
        var mid = 1
        @Column("mod", format: .unixSeconds) var changed = Date(timeIntervalSince1970: 0)
        var usn = -1
        var tags = ""
        var flds = ""
        @ReadOnly var sfld = ""
        var csum = 0
        var flags = 0
        var data = ""
        @Inverse(\Card.note) var cards: [Card]
    }
    final class Card: PersistentObject {
        override class var tableName: String { "cards" }
        override class var origin: TableOrigin { .existing }
        override class var columnNaming: ColumnNaming { .verbatim }
        @Column("nid") var note: Note? = nil
        var did = 0
        var reps = 0
        var ivl = 0
        @Column(format: .unixSeconds) var mod = Date(timeIntervalSince1970: 0)
    }
    final class Grave: PersistentObject {
        override class var tableName: String { "graves" }
        override class var origin: TableOrigin { .existing }
        override class var columnNaming: ColumnNaming { .verbatim }
        var usn = 0
        var oid = 0
        var type = 0
    }
}

/// Tiles of a map: a view without row numbers over two tables with keys, in a file with an application id.
enum MBTiles {
    static let applicationID = 0x4D50_4258
    static let sql = """
        PRAGMA application_id = 1297105496;
        CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT, grid_id TEXT);
        CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
        CREATE TABLE images (tile_data BLOB, tile_id TEXT);
        CREATE UNIQUE INDEX images_id ON images (tile_id);
        CREATE TABLE metadata (name TEXT, value TEXT, PRIMARY KEY (name)) WITHOUT ROWID;
        CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row,
            images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id;
        INSERT INTO images VALUES (x'01', 'sea'), (x'0203', 'land');
        INSERT INTO map (zoom_level, tile_column, tile_row, tile_id) VALUES (0, 0, 0, 'sea'), (1, 0, 1, 'sea'), (1, 1, 1, 'land');
        INSERT INTO metadata VALUES ('name', 'World'), ('minzoom', '0'), ('maxzoom', '1');
        """

    final class Tile: PersistentObject {
        override class var tableName: String { "tiles" }
        override class var origin: TableOrigin { .existingByKey }
        override class var isReadOnly: Bool { true }
        override class var primaryKey: [AnyKeyPath] { [\Tile.zoom, \Tile.column, \Tile.row] }
        @Column("zoom_level") var zoom = 0
        @Column("tile_column") var column = 0
        @Column("tile_row") var row = 0
        @Column("tile_data") var data = Data()
    }
    final class Entry: PersistentObject {
        override class var tableName: String { "metadata" }
        override class var origin: TableOrigin { .existingByKey }
        override class var isReadOnly: Bool { true }
        override class var primaryKey: [AnyKeyPath] { [\Entry.name] }
        var name = ""
        var value = ""
    }
    final class Image: PersistentObject {
        override class var tableName: String { "images" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Image.code] }
        @Column("tile_id") var code = ""
        @Column("tile_data") var data = Data()
        @Inverse(\Place.image) var places: [Place]
    }
    final class Place: PersistentObject {
        override class var tableName: String { "map" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Place.zoom, \Place.column, \Place.row] }
        @Column("zoom_level") var zoom = 0
        @Column("tile_column") var column = 0
        @Column("tile_row") var row = 0
        @Column("tile_id") var image: Image? = nil
    }
}

/// Features of a map, with triggers that call functions which only programs for the format define.
enum GeoPackage {
    static let applicationID = 0x4750_4B47
    static let sql = """
        PRAGMA application_id = 1196444487; PRAGMA user_version = 10300;
        CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY,
            organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
        CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
            description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
            min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
            CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
        CREATE TABLE places (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POINT, name TEXT, pop MEDIUMINT);
        CREATE TRIGGER rtree_places_geom_insert AFTER INSERT ON places WHEN (new.geom NOT NULL AND NOT ST_IsEmpty(NEW.geom))
            BEGIN UPDATE gpkg_contents SET max_x = ST_MaxX(NEW.geom) WHERE table_name = 'places'; END;
        CREATE TRIGGER rtree_places_geom_update6 AFTER UPDATE OF geom ON places WHEN NOT ST_IsEmpty(NEW.geom)
            BEGIN UPDATE gpkg_contents SET max_x = ST_MaxX(NEW.geom) WHERE table_name = 'places'; END;
        INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS', NULL);
        INSERT INTO gpkg_contents (table_name, data_type, identifier, last_change, srs_id)
            VALUES ('places', 'features', 'places', '2024-05-06T07:08:09.123Z', 4326);
        """
        + "DROP TRIGGER rtree_places_geom_insert; INSERT INTO places (geom, name, pop) VALUES (x'4750', 'Graz', 300000), (NULL, 'Linz', 210000);"

    final class System: PersistentObject {
        override class var tableName: String { "gpkg_spatial_ref_sys" }
        override class var origin: TableOrigin { .existing }
        @Column("srs_name") var name = ""
        @Inverse(\Content.system) var contents: [Content]
    }
    final class Content: PersistentObject {
        override class var tableName: String { "gpkg_contents" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Content.table] }
        @Column("table_name") var table = ""
        @Column("data_type") var type = ""
        @Column("last_change", format: .iso8601) var changed = Date(timeIntervalSince1970: 0)
        @Column("srs_id") var system: System? = nil
    }
    final class Place: PersistentObject {
        override class var tableName: String { "places" }
        override class var origin: TableOrigin { .existing }
        var geom: Data?
        var name: String?
        var pop: Int?
    }
}
