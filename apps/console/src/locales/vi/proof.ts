export default {
  title: 'Xác nhận đây là bạn',
  purpose: 'Thao tác này liên quan đến bảo mật hoặc số dư. Bạn sẽ không bị hỏi lại trong mười phút.',
  way: 'Cách xác nhận',
  ways: { password: 'Mật khẩu', code: 'Mã ứng dụng', passkey: 'Passkey' },
  missing: { password: 'Hãy nhập mật khẩu', code: 'Hãy nhập sáu chữ số mà ứng dụng hiển thị' },
  wrongCode: 'Mã không đúng. Hãy nhập mã ứng dụng đang hiển thị ngay lúc này.',
  confirm: 'Xác nhận',
  passkey: {
    hint: 'Trình duyệt sẽ yêu cầu vân tay, khuôn mặt, mã PIN hoặc khóa bảo mật của bạn.',
    use: 'Dùng passkey',
    closed: 'Hộp thoại của trình duyệt đã bị đóng hoặc quá thời gian. Hãy thử lại.',
    known: 'Thiết bị này đã có passkey cho tài khoản của bạn.',
    otherAddress: 'Passkey chỉ hoạt động tại địa chỉ mà quản trị viên đã đặt cho trang này.',
    unfit: 'Thiết bị này không tạo được passkey đủ an toàn. Hãy thử thiết bị khác.',
  },
  logInAgain: {
    text: 'Ở đây không dùng được cách xác nhận nào của tài khoản. Hãy đăng nhập lại: một lần đăng nhập mới có giá trị trong mười phút.',
    action: 'Đăng nhập lại',
  },
}
