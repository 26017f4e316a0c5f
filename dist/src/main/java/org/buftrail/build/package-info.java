/** What the build does with class files before they go into the jar. */
package org.buftrail.build;
