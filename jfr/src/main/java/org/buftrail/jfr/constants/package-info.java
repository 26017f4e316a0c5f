/** The constants of a chunk: texts, classes, methods, stack traces and threads. */
package org.buftrail.jfr.constants;
