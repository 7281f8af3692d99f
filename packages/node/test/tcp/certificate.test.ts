/** The addresses that a certificate is valid for, in every spelling. */

import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { createAuthority, createCertificate } from "../../src/tcp/certificate.ts";

const dates = { from: new Date(Date.now() - 86_400_000), days: 30 };
const authority = createAuthority({ name: "authority", ...dates });

it.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::1", "0:0:0:0:0:0:0:1"],
  ["2001:db8::", "2001:DB8:0:0:0:0:0:0"],
  ["2001:0db8:0:0:1:2:3:abcd", "2001:DB8:0:0:1:2:3:ABCD"],
  ["::ffff:1.2.3.4", "0:0:0:0:0:FFFF:102:304"],
  ["64:ff9b::192.0.2.33", "64:FF9B:0:0:0:0:C000:221"],
  ["fe80::7%eth0", "FE80:0:0:0:0:0:0:7"],
])("holds %s", (host, spelled) => {
  const { cert } = createCertificate(authority, "authority", { name: "peer", hosts: [host], ...dates });
  const read = new X509Certificate(cert);
  expect(read.subjectAltName).toBe(`IP Address:${spelled}`);
  expect(read.checkIP(host.replace(/%.*/, ""))).toBeDefined();
});
