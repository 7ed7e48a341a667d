#if Inspector
    import LoopbackHTTP

    @testable import InspectorServer

    // What a browser sends.
    extension Request {
        var sentHost: String? {
            get { headers["host"] }
            set { headers["host"] = newValue }
        }

        var sentOrigin: String? {
            get { headers["origin"] }
            set { headers["origin"] = newValue }
        }

        var sentCookie: String? {
            get { cookie("inspector-4000") }
            set { headers["cookie"] = newValue.map { "theme=dark; inspector-4000=\($0)" } }
        }

        var sentForm: [String: String] {
            get { form }
            set {
                headers["content-type"] = "application/x-www-form-urlencoded; charset=utf-8"
                body = Array(newValue.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&").utf8)
            }
        }

        private func encoded(_ text: String) -> String {
            text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                    String(UnicodeScalar(byte))
                case UInt8(ascii: " "): "+"
                default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }
            }.joined()
        }
    }
#endif
