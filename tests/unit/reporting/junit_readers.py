"""How the systems read JUnit XML: two schemas, in words of our own, and what each makes of a test
case."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from lxml import etree

_RERUN = """
<xs:complexType name="rerun" mixed="{mixed}"><xs:sequence>
  <xs:element name="stackTrace" type="xs:string" minOccurs="{least}"/>
  <xs:element name="system-out" type="xs:string" minOccurs="0"/>
  <xs:element name="system-err" type="xs:string" minOccurs="0"/>
</xs:sequence><xs:attribute name="message"/><xs:attribute name="type" use="required"/></xs:complexType>
<xs:complexType name="problem" mixed="true">
  <xs:attribute name="message"/><xs:attribute name="type"/>
</xs:complexType>
"""
_SCHEMA = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">'

XUNIT_PLUGIN = f"""{_SCHEMA}{_RERUN.format(mixed="true", least=0)}
<xs:element name="testsuites"><xs:complexType><xs:sequence>
  <xs:element name="testsuite" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
    <xs:choice minOccurs="0" maxOccurs="unbounded">
      <xs:element name="testcase"><xs:complexType>
        <xs:choice minOccurs="0" maxOccurs="unbounded">
          <xs:element name="skipped" type="problem"/><xs:element name="error" type="problem"/>
          <xs:element name="failure" type="problem"/>
          <xs:element name="rerunFailure" type="rerun"/><xs:element name="rerunError" type="rerun"/>
          <xs:element name="flakyFailure" type="rerun"/><xs:element name="flakyError" type="rerun"/>
          <xs:element name="system-out" type="xs:string"/><xs:element name="system-err" type="xs:string"/>
        </xs:choice>
        <xs:attribute name="name" use="required"/><xs:attribute name="time"/><xs:attribute name="classname"/>
        <xs:attribute name="group"/>
      </xs:complexType></xs:element>
    </xs:choice>
    <xs:attribute name="name" use="required"/><xs:attribute name="tests" use="required"/>
    <xs:attribute name="failures" use="required"/><xs:attribute name="errors" use="required"/>
    <xs:attribute name="skipped"/><xs:attribute name="time"/><xs:attribute name="timestamp"/>
    <xs:attribute name="hostname"/>
  </xs:complexType></xs:element>
</xs:sequence><xs:attribute name="name"/></xs:complexType></xs:element></xs:schema>"""
"""Of junit-10.xsd, by which Jenkins' xUnit plugin refuses a file, what pytest writes or might
write."""

SUREFIRE = f"""{_SCHEMA}{_RERUN.format(mixed="false", least=1)}
<xs:element name="testcase"><xs:complexType><xs:sequence>
  <xs:element name="failure" type="typed" minOccurs="0" maxOccurs="unbounded"/>
  <xs:element name="rerunFailure" type="rerun" minOccurs="0" maxOccurs="unbounded"/>
  <xs:element name="flakyFailure" type="rerun" minOccurs="0" maxOccurs="unbounded"/>
  <xs:element name="skipped" type="problem" minOccurs="0"/>
  <xs:element name="error" type="typed" minOccurs="0"/>
  <xs:element name="rerunError" type="rerun" minOccurs="0" maxOccurs="unbounded"/>
  <xs:element name="flakyError" type="rerun" minOccurs="0" maxOccurs="unbounded"/>
  <xs:element name="system-out" type="xs:string" minOccurs="0"/>
  <xs:element name="system-err" type="xs:string" minOccurs="0"/>
</xs:sequence><xs:attribute name="name" use="required"/><xs:attribute name="classname"/>
<xs:attribute name="time" use="required"/></xs:complexType></xs:element>
<xs:complexType name="typed" mixed="true"><xs:attribute name="message"/>
<xs:attribute name="type" use="required"/></xs:complexType></xs:schema>"""
"""A test case of surefire-test-report-3.0.xsd, from which others have the names of reruns."""


def refusals(path: Path, *, properties: bool = False) -> list[str]:
    """What the xUnit plugin has against the file, and Surefire's schema against its test cases;
    ``properties`` is whether those are passed over."""
    document = etree.parse(str(path))
    for case in list(document.iter("testcase")) if properties else ():
        for one in case.findall("properties"):
            case.remove(one)
    found = []
    for schema, roots in (
        (XUNIT_PLUGIN, [document.getroot()]),
        (SUREFIRE, list(document.iter("testcase"))),
    ):
        validator = etree.XMLSchema(etree.fromstring(schema))
        found += [str(validator.error_log) for root in roots if not validator.validate(root)]
    return found


def gitlab(case: ET.Element) -> str:
    """It looks for a child of each kind in this order, and at no other."""
    return next(
        (name for name in ("failure", "error", "skipped") if case.find(name) is not None), "success"
    )


def jenkins(case: ET.Element) -> str:
    """Its JUnit plugin: skipped before all else; the others count reruns."""
    if case.find("skipped") is not None:
        return "skipped"
    if case.find("error") is not None or case.find("failure") is not None:
        return "failed"
    return (
        "flaky"
        if case.find("flakyFailure") is not None or case.find("flakyError") is not None
        else "passed"
    )
