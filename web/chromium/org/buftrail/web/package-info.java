/** Chromium, driven by tests. */
@org.jspecify.annotations.NullMarked
package org.buftrail.web;
