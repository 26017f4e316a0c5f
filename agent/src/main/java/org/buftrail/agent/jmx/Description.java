package org.buftrail.agent.jmx;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a console shows as the description of an attribute or operation. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Description {
  String value();
}
