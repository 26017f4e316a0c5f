/** Lets a test drive an application by lines on its standard input. */
package org.buftrail.apps.driver;
