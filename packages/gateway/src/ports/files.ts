/** Stores files of users, encrypted. */
export interface FileStore {
  /** Starts a file. It is not visible until it is complete. */
  create(file: NewFile): Promise<FileUpload>
  find(userId: number, id: string): Promise<StoredFile | undefined>
  /** Files of a user by the time of their upload. */
  list(page: FilePage): Promise<readonly StoredFile[]>
  /** The content of a file, part by part. */
  read(id: string): AsyncIterable<Uint8Array>
  /** Whether there was one. */
  remove(userId: number, id: string): Promise<boolean>
  /** The bytes of all files of a user. */
  usedBytes(userId: number): Promise<number>
}

export interface NewFile {
  readonly id: string
  readonly userId: number
  readonly tokenId: number
  /** False for the requests of a batch that were not uploaded as a file. */
  readonly isListed?: boolean
}

export interface FileUpload {
  /** Resolves when more can be written. */
  write(content: Uint8Array): Promise<void>
  /** Undefined, and without effect, if all files of the user would then have more than `limitBytes`. */
  complete(details: FileDetails, limitBytes: number): Promise<StoredFile | undefined>
  /** Removes what was written. */
  discard(): Promise<void>
}

export interface FileDetails {
  readonly filename: string
  readonly mimeType: string
  readonly purpose: string
  readonly expiresAt: Date | undefined
}

export interface StoredFile extends FileDetails {
  readonly id: string
  readonly bytes: number
  readonly createdAt: Date
}

export interface Page {
  readonly userId: number
  readonly limit: number
  readonly order: 'asc' | 'desc'
  /** Only what follows the object with this id. */
  readonly after: string | undefined
}

export interface FilePage extends Page {
  readonly purpose: string | undefined
}
