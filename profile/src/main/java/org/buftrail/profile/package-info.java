/** What a profile is: dictionary tables, samples, and the writers and readers of its formats. */
package org.buftrail.profile;
