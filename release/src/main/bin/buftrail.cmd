@echo off
rem Starts Buftrail's command line; needs Java 17 or later.
setlocal
set "root=%~dp0.."
if defined JAVA_HOME (
  set "java=%JAVA_HOME%\bin\java.exe"
) else (
  set "java=java.exe"
)
set "jar=%root%\lib\buftrail.jar"
if "%~1"=="demo" set "jar=%root%\lib\buftrail-demo.jar"
"%java%" -XX:TieredStopAtLevel=1 -XX:-UsePerfData -XX:+UseSerialGC %JAVA_OPTS% "-Dbuftrail.launcher=buftrail" -jar "%jar%" %*
exit /b %ERRORLEVEL%
