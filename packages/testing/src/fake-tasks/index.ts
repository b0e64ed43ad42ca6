export { fakeTaskVendor, type FakeTaskVendor, type ReceivedInquiry, type ReceivedOrder } from './fake-task-vendor.ts'
export { FAKE_IMAGE, FAKE_SONG, FAKE_VIDEO } from './serve-file.ts'
export type { FakeTaskStatus, InquiryScript, OrderScript, TaskStep } from './task-script.ts'
export type { FakeTaskKind } from './task-shelf.ts'
