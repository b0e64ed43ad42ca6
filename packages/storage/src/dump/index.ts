/** The whole site as a stream of bytes, and back. */
export { countServingConnections } from './count-serving.ts'
export { checkDump } from './check-dump.ts'
export { encryptBackup, openBackup, type BackupSecret, type EncryptionHeader } from './encryption.ts'
export { DumpError, FrameReader } from './frames.ts'
export { loadDump, readHeader, type LoadOrder } from './load-dump.ts'
export { keyFingerprint, type DumpFooter, type DumpHeader } from './manifest.ts'
export { writeDump, type DumpOrder } from './write-dump.ts'
